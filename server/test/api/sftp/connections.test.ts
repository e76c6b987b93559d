import assert from 'node:assert/strict';
import test from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import { makeChain } from '../../support/aisle.ts';
import { countLockWaits, holdLocks } from '../../support/lock-waits.ts';
import { connectSftp, makeSftpUser, useSftp } from '../../support/sftp.ts';
import { waitFor } from '../../support/wait.ts';

const perChain = 3;
const aisle = await useSftp({
  AISLE_DATABASE_CONNECTIONS: '6',
  AISLE_CHAIN_CONNECTIONS: String(perChain),
  AISLE_LOCK_SECONDS: '60',
});

test('the SFTP sessions and the requests of a chain together cannot hold all database connections', async (t) => {
  const [busy, other] = [await makeChain(aisle), await makeChain(aisle)];
  const login = await makeSftpUser(aisle, busy);
  const sessions = await Promise.all([1, 2, 3, 4].map(() => connectSftp(aisle.port, login)));
  const second = await aisle.another({}, 'api');
  t.after(second.stop);
  const release = await holdLocks(second.db, 'lock table files in access exclusive mode');
  const path = () => `${busy.base}/files/${newId()}`;
  const requests = [1, 2, 3, 4].map(() => aisle.call('GET', path(), { token: busy.token }));
  const stats = sessions.map((session) => session.stat('/catalog/all/prices.csv').catch((error: Error) => error));
  await waitFor('the chain to use its share', async () => (await countLockWaits(second.db, 'relation')) >= perChain);
  const { status } = await aisle.call('GET', `${other.base}/vendors`, { token: other.token });
  assert.equal(status, 200);
  await release();
  for (const response of await Promise.all(requests)) assert.equal(response.status, 404);
  await Promise.all(stats);
});
