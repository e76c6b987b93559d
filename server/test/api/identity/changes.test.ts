import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '../../../src/kernel/values/ids.ts';
import {
  makeChain,
  makeClient,
  makeToken,
  makeUser,
  requestAccessToken,
  startTestAisle,
  type TestAisle,
} from '../../support/aisle.ts';
import { waitFor } from '../../support/wait.ts';

/** Both servers cache the rows that requests need. A change made on one server must be visible on both immediately. */
const aisle = await startTestAisle({}, 'api');
const other = await aisle.another();
const chain = await makeChain(aisle);
const owner = await makeUser(aisle, chain.chainId);
after(async () => {
  await other.stop();
  await aisle.stop();
});

type Change = {
  write: string;
  /** Reads a value that the change affects. Called on both servers before and after the change. */
  see(server: TestAisle): Promise<unknown>;
  change(): Promise<{ status: number; text: string }>;
  before: unknown;
  after: unknown;
};

const [vendor] = chain.vendors;
const platform = { token: aisle.platformToken };
const platformPath = `/platform/v1/chains/${chain.chainId}`;
const statusWith = (token: string) => async (server: TestAisle) =>
  (await server.call('GET', `${chain.base}/vendors`, { token })).status;
const settingsAs = (field: string) => async (server: TestAisle) =>
  (await server.call('GET', `${chain.base}/vendors/${vendor}/settings`, chain)).body[field];
/** The response status depends on the profile: strict rejects a range over 60 days, and tolerant shortens it. */
const profile = async (server: TestAisle) =>
  (await server.call('GET', `${chain.base}/vendors/${vendor}/orders?start_time=2020-01-01T00:00:00Z`, chain)).status;

const changes: Change[] = [await revokeToken(), await deleteClient(), ...(await userChanges()), ...settingsChanges()];

for (const { write, see, change, before, after: expected } of changes) {
  test(`${write} is visible on every server immediately`, async () => {
    await waitFor('both servers to listen', async () => {
      const seen = [await see(aisle), await see(other)];
      return seen.every((value) => value === before);
    });
    const done = await change();
    assert.equal(done.status, 200, done.text);
    assert.equal(await see(aisle), expected, 'the server that made the change');
    await waitFor('the other server to see the change', async () => (await see(other)) === expected, 2);
  });
}

async function revokeToken(): Promise<Change> {
  const token = await makeToken(aisle, chain.chainId);
  const list = await aisle.call('GET', `${chain.base}/tokens`, chain);
  const { token_id } = list.body.tokens.find((one: { name: string }) => one.name === 'limited');
  return {
    write: 'revoking a token',
    see: statusWith(token),
    change: () => aisle.call('DELETE', `${chain.base}/tokens/${token_id}`, chain),
    before: 200,
    after: 401,
  };
}

async function deleteClient(): Promise<Change> {
  const { client_id, client_secret } = await makeClient(aisle, chain.chainId);
  const granted = await requestAccessToken(aisle, { client_id, client_secret });
  assert.equal(granted.status, 200, granted.text);
  return {
    write: 'deleting a client',
    see: statusWith(granted.body.access_token),
    change: () => aisle.call('DELETE', `${chain.base}/clients/${client_id}`, chain),
    before: 200,
    after: 401,
  };
}

async function userChanges(): Promise<Change[]> {
  const make = () => makeUser(aisle, chain.chainId, 'MANAGER');
  const [promoted, removed, reset, leaving, changing] = await Promise.all([make(), make(), make(), make(), make()]);
  const signedIn = (session: string) => async (server: TestAisle) =>
    (await server.call('GET', '/v2/portal/session', { token: session })).status;
  const managesUsers = async (server: TestAisle) =>
    (await server.call('DELETE', `${chain.base}/users/${newId()}`, { token: promoted.session })).status;
  const userPath = (user: { user_id: string }) => `${chain.base}/users/${user.user_id}`;
  const asOwner = { token: owner.session };
  const second = await aisle.call('POST', '/v2/portal/session', {
    body: { email: changing.email, password: changing.password },
  });
  const cookie = /aisle_session=([^;]+)/.exec(String(second.headers['set-cookie']))?.[1] ?? '';
  const passwords = { current_password: changing.password, new_password: 'another right password' };
  return [
    {
      write: 'changing a role',
      see: managesUsers,
      change: () => aisle.call('PATCH', userPath(promoted), { ...asOwner, body: { role: 'OWNER' } }),
      before: 403,
      after: 404,
    },
    {
      write: 'deleting a user',
      see: signedIn(removed.session),
      change: () => aisle.call('DELETE', userPath(removed), asOwner),
      before: 200,
      after: 401,
    },
    {
      write: 'resetting a password',
      see: signedIn(reset.session),
      change: () => aisle.call('POST', `${userPath(reset)}/reset-password`, asOwner),
      before: 200,
      after: 401,
    },
    {
      write: 'signing out',
      see: signedIn(leaving.session),
      change: () => aisle.call('DELETE', '/v2/portal/session', { token: leaving.session }),
      before: 200,
      after: 401,
    },
    {
      write: "ending a user's other sessions by changing the password",
      see: signedIn(cookie),
      change: () => aisle.call('PUT', '/v2/portal/session/password', { token: changing.session, body: passwords }),
      before: 200,
      after: 401,
    },
  ];
}

function settingsChanges(): Change[] {
  return [
    {
      write: 'a profile change by the chain',
      see: profile,
      change: () => aisle.call('PATCH', `${chain.base}/settings`, { ...chain, body: { profile: 'tolerant' } }),
      before: 400,
      after: 200,
    },
    {
      write: 'a profile change by the platform',
      see: profile,
      change: () => aisle.call('PATCH', platformPath, { ...platform, body: { profile: 'strict' } }),
      before: 200,
      after: 400,
    },
    {
      write: 'a vendor settings change by the chain',
      see: settingsAs('sales_buffer'),
      change: () =>
        aisle.call('PATCH', `${chain.base}/vendors/${vendor}/settings`, { ...chain, body: { sales_buffer: 7 } }),
      before: 0,
      after: 7,
    },
    {
      write: 'a vendor change by the platform',
      see: settingsAs('name'),
      change: () =>
        aisle.call('PATCH', `${platformPath}/vendors/${vendor}`, { ...platform, body: { name: 'Renamed store' } }),
      before: 'Store 1',
      after: 'Renamed store',
    },
  ];
}
