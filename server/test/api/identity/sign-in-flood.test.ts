import assert from 'node:assert/strict';
import test from 'node:test';
import { promisify } from 'node:util';
import { emailAccount } from '../../../src/identity/guard-attempts.ts';
import { makeChain, makeUser, type Response, useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';
import { waitFor } from '../../support/wait.ts';

const aisle = await useOwnAisle({
  AISLE_RATE_LIMITS: 'sign_in=1000',
  AISLE_TRUSTED_PROXIES: '127.0.0.1',
  AISLE_LOCK_SECONDS: '120',
  AISLE_STATEMENT_SECONDS: '120',
});
const url = await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 });
const { chainId } = await makeChain(aisle);
const home = '198.51.100.20';

test('the right password gets through while a dozen addresses flood the server with wrong ones', async () => {
  const user = await makeUser(aisle, chainId);
  const responses: Response[] = [];
  const record = (response: Response) => responses.push(response);
  const { flood, own } = await whileChecksAreSlow(async () => {
    // Two passwords are being checked, 100 wait, and the rest is rejected.
    const flood = Array.from({ length: 12 * 9 }, (_, n) =>
      signIn(`flood-${n}@aisle.test`, 'x', addressOf(n)).then(record),
    );
    await waitFor('the queue to be full', () => responses.length === 6, 30);
    const own = signIn(user.email, user.password, home);
    void own.then(record);
    await waitFor('another sign-in to be rejected', () => responses.length === 7, 30);
    return { flood, own };
  });
  await Promise.all(flood);
  assert.equal((await own).status, 201, (await own).text);
  const statuses = responses.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 101);
  assert.equal(statuses.filter((status) => status === 429 || status === 503).length, 7);
});

test('sign-ins of clients that have disconnected do not keep others out', async () => {
  const user = await makeUser(aisle, chainId);
  const address = '203.0.113.200';
  const { own } = await whileChecksAreSlow(async () => {
    const gone = new AbortController();
    const flood = Array.from({ length: 12 }, (_, n) => sendAndLeave(`gone-${n}@aisle.test`, address, gone.signal));
    await waitFor('the sign-ins to wait', async () => (await countAttempts(address)) === 12, 30);
    assertProblem(await signIn('one-more@aisle.test', 'x', address), 'rate_limited');
    gone.abort();
    await Promise.allSettled(flood);
    await waitFor('the server to notice', async () => (await countConnections()) === 0, 30);
    const own = signIn(user.email, user.password, address);
    await waitFor('the next sign-in', async () => (await countAttempts(address)) === 14, 30);
    return { own };
  });
  const response = await own;
  assert.equal(response.status, 201, response.text);
});

test('delayed guesses from a few addresses do not delay or reject the right password from another one', async () => {
  const user = await makeUser(aisle, chainId);
  const emails = Array.from({ length: 200 }, (_, n) => `delayed-${n}@aisle.test`);
  await aisle.db.query(
    `insert into failed_attempts (account, network, failures, last_failed_at, blocked_until)
     select account, network, 9, now(), now() + interval '7 seconds' from unnest($1::text[], $2::text[]) as given (account, network)`,
    [emails.map((email) => emailAccount(email)), emails.map((_, n) => addressOf(n))],
  );
  const gone = new AbortController();
  const flood = emails.map((email, n) => sendAndLeave(email, addressOf(n), gone.signal));
  const countDelayed = async () => (await aisle.db.query('select 1 from failed_attempts where failures = 10')).length;
  await waitFor('the guesses to be delayed', async () => (await countDelayed()) === emails.length, 30);
  const response = await signIn(user.email, user.password, home);
  assert.equal(response.status, 201, response.text);
  gone.abort();
  await Promise.allSettled(flood);
});

function addressOf(n: number): string {
  return `203.0.113.${n % 12}`;
}

function signIn(email: string, password: string, from: string): Promise<Response> {
  const headers = { 'x-forwarded-for': from };
  return aisle.call('POST', '/v2/portal/session', { body: { email, password }, headers });
}

/** Sends a sign-in on a connection that is closed when the signal is aborted. */
function sendAndLeave(email: string, from: string, signal: AbortSignal): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const body = JSON.stringify({ email, password: 'x' });
  return fetch(`${url}/v2/portal/session`, { method: 'POST', headers, body, signal });
}

/** While the work runs, no password check ends, because none can read the users. */
function whileChecksAreSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  return aisle.db.transaction(async (tx) => {
    await tx.query('lock table users in access exclusive mode');
    return work();
  });
}

async function countAttempts(network: string): Promise<number> {
  return (await aisle.db.query('select 1 from failed_attempts where network = $1', [network])).length;
}

function countConnections(): Promise<number> {
  const { server } = aisle.aisle.http;
  return promisify(server.getConnections.bind(server))();
}
