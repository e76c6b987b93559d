import assert from 'node:assert/strict';
import test from 'node:test';
import { makeChain, makeClient, requestAccessToken, useOwnAisle } from '../../support/aisle.ts';
import { countLockWaits, holdLocks } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait.ts';

/** A chain, and all clients without credentials together, can hold one connection. */
const aisle = await useOwnAisle({
  AISLE_CHAIN_CONNECTIONS: '1',
  AISLE_LOCK_SECONDS: '30',
  AISLE_TRUSTED_PROXIES: 'loopback',
  AISLE_RATE_LIMITS: 'on',
});

test('a flood of token requests delays neither the platform nor token requests from other networks', async () => {
  const { chainId } = await makeChain(aisle);
  const { client_id, client_secret } = await makeClient(aisle, chainId);
  const statuses: string[] = [];
  const request = async (name: string, address: string, secret: string) => {
    const headers = { 'x-forwarded-for': address };
    const { status } = await requestAccessToken(aisle, { client_id, client_secret: secret }, headers);
    statuses.push(`${name} ${status}`);
  };
  const release = await holdLocks(aisle.db, 'lock table failed_attempts in access exclusive mode');
  const flood = Array.from({ length: 8 }, () => request('flood', '192.0.2.1', 'wrong'));
  await waitFor('a request to wait', async () => (await countLockWaits(aisle.db, 'relation')) > 0);
  const other = request('other', '192.0.2.2', client_secret);
  const platform = await aisle.call('GET', '/platform/v1/chains', { token: aisle.platformToken });
  assert.deepEqual([platform.status, statuses], [200, []]);
  await release();
  await Promise.all([...flood, other]);
  assert.ok(statuses.slice(0, 6).includes('other 200'), statuses.join(', '));
});
