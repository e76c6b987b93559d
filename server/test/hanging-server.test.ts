import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from './support/database.ts';
import { startCountingProxy } from './support/round-trips.ts';
import { waitFor } from './support/wait.ts';
import { openDatabase } from '../src/kernel/database/db.ts';
import { listen } from '../src/kernel/database/listen.ts';
import { createLocator } from '../src/kernel/database/servers.ts';

/** Two proxies to the same database stand for the old and the new primary. */
const { url, drop } = await cloneDatabase();
after(drop);

async function startPair() {
  const [one, two] = [await startCountingProxy(url), await startCountingProxy(url)];
  const { host } = new URL(two.url);
  const pair = new URL(one.url);
  pair.searchParams.set('target_session_attrs', 'read-write');
  const urls = pair.href.replace(pair.host, `${pair.host},${host}`);
  return { one, two, urls, close: () => Promise.all([one.close(), two.close()]) };
}

test('when the server hangs and another one can be used, statements that wait fail, and new ones are executed there', async (t) => {
  const { one, two, urls, close } = await startPair();
  t.after(close);
  const options = { connections: 2, statementSeconds: 30, preparedStatements: true, name: 'aisle test', onError() {} };
  const db = openDatabase({ url: urls, ...options });
  t.after(db.close);
  await Promise.all([1, 2].map(() => db.query('select pg_sleep(0.1)')));
  assert.equal(two.roundTrips(), 0);
  one.hang();
  const startedAt = performance.now();
  const failing = [db.query('select 1'), db.query('select 2')].map((waiting) =>
    assert.rejects(waiting, { code: 'service_unavailable' }),
  );
  const written = db.transaction((tx) => tx.query('select 3 as value'));
  await Promise.all(failing);
  assert.deepEqual(await written, [{ value: 3 }]);
  assert.deepEqual(await db.query('select 4 as value'), [{ value: 4 }]);
  assert.ok(performance.now() - startedAt < 8000, `${performance.now() - startedAt} ms`);
});

test('while the server responds, it is not left for a faster one', async (t) => {
  const { two, urls, close } = await startPair();
  t.after(close);
  for (let searches = 0; searches < 10; searches++) await createLocator(urls).locate();
  assert.equal(two.roundTrips(), 0);
});

for (const kind of ['one server', 'two servers'] as const) {
  test(`a listener whose connection to ${kind} became silent is connected again`, async (t) => {
    const { one, urls, close } = await startPair();
    t.after(close);
    const received: string[] = [];
    const lost: string[] = [];
    const listener = listen(
      kind === 'one server' ? one.url : urls,
      { news: (payload) => received.push(payload) },
      { onConnected() {}, onLost: ({ message }) => lost.push(message) },
    );
    t.after(listener.close);
    await waitFor('the listener', listener.isListening);
    if (kind === 'one server') one.swallow();
    else one.hang();
    await waitFor('the loss to be noticed', () => !listener.isListening());
    await waitFor('the next connection', listener.isListening);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("notify news, 'here'");
    await client.end();
    await waitFor('the notification', () => received.length > 0);
    assert.deepEqual([received, lost.length], [['here'], 1]);
  });
}

test('a listener is closed within seconds even if the server hangs', async (t) => {
  const { one, close } = await startPair();
  t.after(close);
  const closed = Promise.withResolvers<void>();
  const listener = listen(
    one.url,
    {},
    {
      onConnected() {
        one.hang();
        listener.close().then(closed.resolve, closed.reject);
      },
      onLost() {},
    },
  );
  const startedAt = performance.now();
  await closed.promise;
  assert.ok(performance.now() - startedAt < 10_000, `${performance.now() - startedAt} ms`);
});

test('a search ends even if a server stops responding while it is being checked', async (t) => {
  const { one, two, urls, close } = await startPair();
  t.after(close);
  const locator = createLocator(urls);
  for (const server of [one, two]) server.hang('pg_is_in_recovery');
  await assert.rejects(locator.locate(), /Query read timeout/);
});
