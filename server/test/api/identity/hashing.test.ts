import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';

const aisle = await useOwnAisle({ AISLE_PASSWORD_COST: '15' });
const { chainId, token } = await makeChain(aisle);

test('no transaction is open while passwords of new users are hashed', async () => {
  const create = (path: string, body?: unknown) => aisle.call('POST', `/v2/chains/${chainId}${path}`, { token, body });
  const user = await create('/users', { email: 'first@aisle.test', name: 'First', role: 'VIEWER' });
  assert.equal(user.status, 201, user.text);
  const sftpUser = await create('/sftp-users', { name: 'first' });
  assert.equal(sftpUser.status, 201, sftpUser.text);
  let isDone = false;
  const working = Promise.all(
    [1, 2, 3, 4, 5, 6].flatMap((number) => [
      create('/users', { email: `${number}@aisle.test`, name: 'New', role: 'VIEWER' }),
      create(`/users/${user.body.user_id}/reset-password`),
      create('/sftp-users', { name: `new-${number}` }),
      create(`/sftp-users/${sftpUser.body.sftp_user_id}/reset-password`),
    ]),
  ).finally(() => {
    isDone = true;
  });
  const states: number[] = [];
  while (!isDone) {
    const rows = await aisle.db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction' and now() - state_change > interval '30 ms'`,
    );
    states.push(rows[0]?.count ?? 0);
    await sleep(5);
  }
  for (const { status, text } of await working) assert.ok(status === 200 || status === 201, text);
  // Under load, a transaction can be idle for a moment, but not most of the time.
  assert.ok(states.filter((count) => count > 0).length < states.length / 4, states.join(' '));
});
