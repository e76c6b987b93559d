import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFailovers } from './support/failover.ts';

/** `AISLE_FAILOVERS=5 npm test -- e2e/failover.test.ts` does it five times. */
const count = Number(process.env['AISLE_FAILOVERS'] ?? 1);

test('when the primary is killed under load and the standby is promoted, no acknowledged change is lost, and processes write again within 5 s', async (t) => {
  const { orders, acknowledged, failed, secondsToWrite } = await runFailovers(count, (line) => t.diagnostic(line));
  t.diagnostic(`${orders} orders, ${acknowledged} acknowledged changes, 0 lost; ${failed} requests got 503`);
  for (const seconds of secondsToWrite) assert.ok(seconds < 5, `${seconds} s`);
});
