import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv } from '@aisle/contract/csv';
import { makeChain, makeUser, useAisle } from '../../support/aisle.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
const owner = await makeUser(aisle, chain.chainId);

type Entry = {
  action: string;
  actor: { kind: string; name: string };
  targets: Record<string, string>;
  details: unknown;
};

async function list(query = ''): Promise<{ entries: Entry[]; next_cursor: string | null }> {
  const path = `/platform/v1/audit?chain_id=${chain.chainId}${query}`;
  const response = await aisle.call('GET', path, { token: aisle.platformToken });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

test('an entry says who did what to what, from where, without secrets', async () => {
  const body = {
    email: 'picker@aisle.test',
    name: 'Picker',
    role: 'PICKER',
    password: 'four words that are hard to guess',
  };
  const created = await aisle.call('POST', `${chain.base}/users`, { token: owner.session, body });
  assert.equal(created.status, 201, created.text);
  const [entry] = (await list('&action=createUser')).entries;
  assert.partialDeepStrictEqual(entry, {
    action: 'createUser',
    chain_id: chain.chainId,
    actor: { kind: 'user', id: owner.user_id, name: owner.email },
    targets: { user_id: created.body.user_id },
    details: { email: body.email, role: 'PICKER', password: '[removed]' },
    address: '127.0.0.1',
    request_id: created.headers['x-request-id'],
  });
});

test('a request that fails or only reads leaves no entry, and a replayed one leaves no second entry', async () => {
  const before = (await list('&limit=500')).entries.length;
  const body = { name: 'Till', scopes: ['orders:read'] };
  const headers = { 'idempotency-key': 'audit-1' };
  await aisle.call('GET', `${chain.base}/tokens`, { token: owner.session });
  await aisle.call('POST', `${chain.base}/tokens`, { token: owner.session, body: { name: '' } });
  await aisle.call('POST', `${chain.base}/users`, {
    token: owner.session,
    body: { email: owner.email, name: 'Twice', role: 'VIEWER' },
  });
  for (const _ of [1, 2]) {
    const response = await aisle.call('POST', `${chain.base}/tokens`, { token: owner.session, body, headers });
    assert.equal(response.status, 201, response.text);
  }
  const { entries } = await list('&limit=500');
  assert.deepEqual(
    entries.slice(0, entries.length - before).map(({ action }) => action),
    ['createToken'],
  );
});

test('a sign-in is recorded with the user who signed in', async () => {
  const { email, password } = owner;
  await aisle.call('POST', '/v2/portal/session', { body: { email, password } });
  const [entry] = (await list('&action=signIn')).entries;
  assert.partialDeepStrictEqual(entry, { action: 'signIn', actor: { kind: 'user', name: email } });
});

test('the list is filtered, and read page by page without gaps', async () => {
  const { entries } = await list('&limit=500');
  const read: Entry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof list>> = await list(`&limit=2${cursor && `&cursor=${cursor}`}`);
    read.push(...page.entries);
    cursor = page.next_cursor;
  }
  assert.deepEqual(read, entries);
  assert.equal((await list('&since=2999-01-01')).entries.length, 0);
  const wrong = await aisle.call('GET', '/platform/v1/audit?cursor=nonsense', { token: aisle.platformToken });
  assert.equal(wrong.status, 400);
});

test('entries of the same millisecond are on different pages without gaps', async () => {
  const other = await makeChain(aisle);
  await aisle.db.query(
    `insert into audit_entries (chain_id, entry_id, at, actor_kind, actor_id, actor_name, action, targets)
     select $1, gen_random_uuid(), '2030-01-01T00:00:00Z'::timestamptz + n * interval '1 microsecond', 'command', '', '',
       'test' || n, '{}' from generate_series(1, 5) n`,
    [other.chainId],
  );
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const query = `chain_id=${other.chainId}&since=2030-01-01T00:00:00Z&limit=2${cursor}`;
    const { body } = await aisle.call('GET', `/platform/v1/audit?${query}`, { token: aisle.platformToken });
    seen.push(...body.entries.map(({ action }: Entry) => action));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  assert.deepEqual(seen, ['test5', 'test4', 'test3', 'test2', 'test1']);
  for (const at of ['0000-01-01T00:00:00.000Z', '2030-13-01T00:00:00.000Z', '2030-01-01', 'infinity']) {
    const cursor = Buffer.from(JSON.stringify(['audit', at, other.chainId])).toString('base64url');
    const response = await aisle.call('GET', `/platform/v1/audit?cursor=${cursor}`, { token: aisle.platformToken });
    assert.equal(response.status, 400, `${at}: ${response.text}`);
  }
});

test('the export contains the same entries as CSV and as NDJSON', async () => {
  const { entries } = await list('&limit=500');
  const path = `/platform/v1/audit/export?chain_id=${chain.chainId}`;
  const csv = await aisle.call('GET', path, { token: aisle.platformToken });
  assert.match(csv.text, /^at,chain_id,actor_kind,/);
  assert.equal(csv.text.trim().split('\n').length, entries.length + 1);
  const lines = await aisle.call('GET', `${path}&format=ndjson`, { token: aisle.platformToken });
  const exported = lines.text.trim().split('\n');
  assert.deepEqual(
    exported.map((line) => JSON.parse(line)),
    entries,
  );
});

test('a name that a spreadsheet would evaluate is exported as text, which has the original value', async () => {
  const name = '=1+1';
  const body = { name, scopes: ['manage'] };
  const created = await aisle.call('POST', `${chain.base}/tokens`, { token: chain.token, body });
  assert.equal(created.status, 201, created.text);
  const client = { token: created.body.token, body: { name: 'Till', scopes: ['manage'] } };
  assert.equal((await aisle.call('POST', `${chain.base}/clients`, client)).status, 201);
  const path = `/platform/v1/audit/export?chain_id=${chain.chainId}`;
  const { text } = await aisle.call('GET', path, { token: aisle.platformToken });
  const [columns = [], newest = []] = parseCsv(text);
  assert.equal(newest[columns.indexOf('actor_name')], name);
  assert.match(text, /,'=1\+1,/);
});

test('the database rejects changes to entries', async () => {
  for (const sql of ["update audit_entries set action = 'x'", 'delete from audit_entries', 'truncate audit_entries']) {
    await assert.rejects(aisle.db.query(sql), /cannot be changed or deleted/);
  }
});
