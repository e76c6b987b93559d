import assert from 'node:assert/strict';
import type { Route } from '@aisle/contract/route';
import type { Response } from '../support/aisle.ts';

/** Facts from the responses so far, which later responses must not contradict. */
export type Model = {
  /** Whether the credential was revoked because its token, client, user or session was deleted. */
  isEnded(credential: string | undefined): boolean;
  /** Credentials that were issued in this round and still work. */
  issued(): string[];
  observe(exchange: Exchange): void;
};

export type Exchange = {
  id: string;
  route: Route;
  params: Record<string, string>;
  credential: string | undefined;
  sent: unknown;
  response: Response;
};

type Body = Response['body'];

export function createModel(): Model {
  const credentials: { credential: string; source: string }[] = [];
  const ended = new Set<string>();
  const orders = new Map<string, Body>();
  const jobs = new Map<string, string>();
  const end = (credential: string) => {
    ended.add(credential);
    endIssued(credential);
  };
  const endIssued = (source: string) => {
    for (const one of credentials) if (one.source === source) end(one.credential);
  };
  return {
    isEnded: (credential) => credential !== undefined && ended.has(credential),
    issued: () => credentials.map(({ credential }) => credential).filter((one) => !ended.has(one)),
    observe(exchange) {
      const { id, response, credential } = exchange;
      if (credential !== undefined && ended.has(credential) && exchange.route.access !== 'public') {
        assert.equal(response.status, 401, `${id} accepted a revoked credential: ${response.text}`);
      }
      if (response.status >= 300 || response.headers['idempotent-replayed'] !== undefined) return;
      const issued = issuedBy(exchange);
      if (issued) credentials.push(issued);
      const isSignedOut = id === 'signOut' || (id === 'endOwnSession' && response.body.is_current);
      if (isSignedOut && credential !== undefined) end(credential);
      const source = endedBy(exchange);
      if (source !== undefined) endIssued(source);
      checkOrder(orders, response.body);
      checkJob(jobs, response.body);
    },
  };
}

/** Returns the credential that the response contains, and the object whose deletion revokes it. */
function issuedBy({ id, sent, response, credential }: Exchange): { credential: string; source: string } | undefined {
  const { body, headers } = response;
  if (id === 'createToken' || id === 'platformCreateToken') return { credential: body.token, source: body.token_id };
  if (id === 'getAccessToken') return { credential: body.access_token, source: (sent as Body)?.client_id };
  if (id === 'createSessionToken' && credential !== undefined) return { credential: body.token, source: credential };
  const cookie = /aisle_session=([^;]+)/.exec([headers['set-cookie']].flat().join())?.[1];
  if (id === 'signIn' && cookie !== undefined) return { credential: cookie, source: body.user.user_id };
  return undefined;
}

function endedBy({ id, params }: Exchange): string | undefined {
  if (id === 'deleteToken') return params['token_id'];
  if (id === 'deleteClient') return params['client_id'];
  return id === 'deleteUser' || id === 'endUserSessions' ? params['user_id'] : undefined;
}

/** An order's revision never decreases, the same revision never has another status, and a cancellation is final. */
function checkOrder(orders: Map<string, Body>, body: Body): void {
  if (typeof body?.order_id !== 'string' || typeof body.revision !== 'number') return;
  const before = orders.get(body.order_id);
  orders.set(body.order_id, { status: body.status, revision: body.revision });
  if (!before) return;
  assert.ok(body.revision >= before.revision, `revision ${body.revision} after ${before.revision}`);
  if (body.revision === before.revision || before.status === 'CANCELLED') assert.equal(body.status, before.status);
}

/** A finished job keeps its result. */
function checkJob(jobs: Map<string, string>, body: Body): void {
  if (typeof body?.job_id !== 'string' || typeof body.job_status !== 'string') return;
  const before = jobs.get(body.job_id);
  if (before === 'COMPLETED' || before === 'FAILED') assert.equal(body.job_status, before);
  jobs.set(body.job_id, body.job_status);
}
