import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPasswordCheck } from './weak-password.ts';

const check = createPasswordCheck();
after(() => check.close());

const user = { email: 'noor@palm.example', name: 'Noor' };
const reject = (password: string) => check.rejectWeak('chain', password, user, '/password');

test('checking a password that is slow to analyze does not block the event loop', async () => {
  await reject('seven purple trams');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await assert.rejects(reject('p4ssw0rd'.repeat(12)), /too easy to guess/);
  clearInterval(timer);
  assert.ok(turns > 0, 'timers run during the check');
});

test('a long password is accepted', async () => {
  await reject('seven purple trams '.repeat(10));
});
