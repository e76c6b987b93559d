import assert from 'node:assert/strict';
import test from 'node:test';
import { useAisle, useOwnAisle } from '../../support/aisle.ts';
import { createCli } from '../../support/cli.ts';
import { listen } from '../../support/sdk.ts';

test('simulate says which setting is missing if the server cannot send webhooks to this computer', async () => {
  const aisle = await useOwnAisle({ AISLE_WEBHOOK_ALLOW: 'none' });
  const cli = createCli({ AISLE_URL: await listen(aisle), AISLE_PLATFORM_TOKEN: aisle.platformToken });
  const { exitCode, stderr } = await cli.run(['simulate', '--stores', '1', '--duration', '5s']);
  assert.equal(exitCode, 1);
  assert.match(stderr, /The server cannot send webhooks to http:\/\/127\.0\.0\.1:\d+\/chain-1: /);
  assert.match(stderr, /Start the server with AISLE_WEBHOOK_ALLOW=loopback/);
});

test('simulate with a wrong platform token is rejected before anything is created', async () => {
  const aisle = await useAisle();
  const cli = createCli({ AISLE_URL: await listen(aisle), AISLE_PLATFORM_TOKEN: 'wrong' });
  const { exitCode, stderr } = await cli.run(['simulate', '--stores', '1', '--duration', '5s']);
  assert.deepEqual([exitCode, /token/.test(stderr)], [3, true]);
});
