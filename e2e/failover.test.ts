import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFailovers } from './support/failover.ts';

/** `AISLE_FAILOVERS=5 npm test -- e2e/failover.test.ts` does it five times. */
const count = Number(process.env['AISLE_FAILOVERS'] ?? 1);

test('when the primary is killed under load and the standby is promoted, no acknowledged change is lost, and processes write again within 5 s', async (t) => {
  const { orders, acknowledged, failed, secondsToWrite } = await runFailovers('killed', count, (line) =>
    t.diagnostic(line),
  );
  t.diagnostic(`${orders} orders, ${acknowledged} acknowledged changes, 0 lost; ${failed} requests got 503`);
  for (const seconds of secondsToWrite) assert.ok(seconds < 5, `${seconds} s`);
});

test('when the primary freezes under load and the standby is promoted, processes leave the primary, whose connections neither fail nor respond, within seconds', async (t) => {
  const { secondsToWrite } = await runFailovers('frozen', 1, (line) => t.diagnostic(line));
  for (const seconds of secondsToWrite) assert.ok(seconds < 10, `${seconds} s`);
});
