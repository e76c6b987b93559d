import { keptAttempts } from '@aisle/contract/deliveries';
import type { Db, Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import type { Head } from './lane-queries.ts';
import type { Timings } from '../kernel/outbound/timings.ts';
import type { Outcome } from '../webhooks/index.ts';
import type { DeliveryStatus } from './rules/attempt.ts';
import type { KeptResponse } from './rules/kept-response.ts';

/** An attempt that has ended, and the new status of its delivery. */
export type Finished = {
  head: Head;
  startedAt: Date;
  durationMs: number;
  /** Whether the message had a mistake on purpose. Its result says nothing about the health of the endpoint. */
  isStaged: boolean;
  outcome: Outcome;
  httpStatus: number | null;
  url: string;
  signature: string;
  userAgent: string;
  isAuthorized: boolean;
  /** Without headers if there was no response. The body is then the reason. */
  response: Partial<KeptResponse> & Pick<KeptResponse, 'body'>;
  timings: Timings;
  status: DeliveryStatus;
  /** The delay before the next attempt. It is added to the database's time, because a worker's clock can be wrong. */
  retrySeconds: number | null;
};

/** An attempt with the time of the next one, or null. */
export type Recorded = Finished & { nextAttemptAt: Date | null };

/** Writes the new status of the deliveries. */
export function updateDeliveries(tx: Tx, scope: Scope, finished: Recorded[]): void {
  if (scope !== null) return updateDeliveriesOf(tx, scope, finished);
  tx.send(
    `update deliveries d set status = f.status, attempt_count = d.attempt_count + 1, tries = d.tries + 1,
       last_outcome = f.outcome, next_attempt_at = f.next_attempt_at, updated_at = now()
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
       as f (chain_id, delivery_id, status, outcome, next_attempt_at)
     where ${inScope('d', '$1')} and d.chain_id = f.chain_id and d.delivery_id = f.delivery_id`,
    [
      scope,
      finished.map(({ head }) => head.chain_id),
      finished.map(({ head }) => head.delivery_id),
      finished.map(({ status }) => status),
      finished.map(({ outcome }) => outcome),
      finished.map(({ nextAttemptAt }) => nextAttemptAt),
    ],
    // A plan that was made while there were few deliveries, and kept, would read all of them each time.
    { prepare: false },
  );
}

/**
 * One statement for each delivery, sent together: the chain's node keeps the plan. With an array of ids, it could keep one
 * that reads all deliveries of the chain.
 */
function updateDeliveriesOf(tx: Tx, chainId: string, finished: Recorded[]): void {
  for (const { head, status, outcome, nextAttemptAt } of finished) {
    tx.send(
      `update deliveries set status = $3, attempt_count = attempt_count + 1, tries = tries + 1, last_outcome = $4,
         next_attempt_at = $5, updated_at = now()
       where chain_id = $1 and delivery_id = $2`,
      [chainId, head.delivery_id, status, outcome, nextAttemptAt],
    );
  }
}

export function insertAttempts(tx: Tx, finished: Finished[]): void {
  tx.send(
    `insert into delivery_attempts (chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, http_status,
       environment, url, answer, signature, user_agent, is_authorized, response_headers, is_answer_cut, dns_ms,
       connect_ms, tls_ms, first_byte_ms)
     select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::text[], $7::int[],
       $8::text[], $9::text[], $10::bytea[], $11::text[], $12::text[], $13::bool[], $14::json[], $15::bool[], $16::int[],
       $17::int[], $18::int[], $19::int[])`,
    [
      finished.map(({ head }) => head.chain_id),
      finished.map(({ head }) => head.delivery_id),
      finished.map(({ head }) => head.attempt_count + 1),
      finished.map(({ startedAt }) => startedAt),
      finished.map(({ durationMs }) => durationMs),
      finished.map(({ outcome }) => outcome),
      finished.map(({ httpStatus }) => httpStatus),
      finished.map(({ head }) => head.environment),
      finished.map(({ url }) => url),
      finished.map(({ response }) => response.body),
      finished.map(({ signature }) => signature),
      finished.map(({ userAgent }) => userAgent),
      finished.map(({ isAuthorized }) => isAuthorized),
      finished.map(({ response }) => (response.headers === undefined ? null : JSON.stringify(response.headers))),
      finished.map(({ response }) => response.isCut ?? null),
      finished.map(({ timings }) => timings.dnsMs),
      finished.map(({ timings }) => timings.connectMs),
      finished.map(({ timings }) => timings.tlsMs),
      finished.map(({ timings }) => timings.firstByteMs),
    ],
  );
}

/** Deletes the attempts of these deliveries that are too old to be kept after attempt number `attempt_no`. */
export function deleteOldAttempts(
  tx: Tx,
  scope: Scope,
  deliveries: { chain_id: string; delivery_id: string; attempt_no: number }[],
): void {
  tx.send(
    `delete from delivery_attempts a
     using unnest($2::uuid[], $3::uuid[], $4::int[]) as given (chain_id, delivery_id, attempt_no)
     where ${inScope('a', '$1')} and a.chain_id = given.chain_id and a.delivery_id = given.delivery_id
       and a.attempt_no <= given.attempt_no - $5`,
    [
      scope,
      deliveries.map((one) => one.chain_id),
      deliveries.map((one) => one.delivery_id),
      deliveries.map((one) => one.attempt_no),
      keptAttempts,
    ],
  );
}

/** The deliveries for an order with the results of their attempts, oldest first. */
export type OrderDelivery = {
  order_id: string;
  delivery_id: string;
  type: string;
  status: DeliveryStatus;
  attempts: { attempt_no: number; outcome: Outcome; http_status: number | null }[];
};

export function listDeliveriesForOrders(db: Db, chainId: string, orderIds: string[]): Promise<OrderDelivery[]> {
  return db.query(
    `select d.order_id, d.delivery_id, d.type, d.status, coalesce(
       json_agg(json_build_object('attempt_no', a.attempt_no, 'outcome', a.outcome, 'http_status', a.http_status)
         order by a.attempt_no) filter (where a.attempt_no is not null), '[]') as attempts
     from deliveries d
     left join delivery_attempts a on a.chain_id = d.chain_id and a.delivery_id = d.delivery_id
       and a.attempt_no > d.attempt_count - $3
     where d.chain_id = $1 and d.order_id = any ($2) and not d.is_platform
     group by d.chain_id, d.delivery_id order by d.position`,
    [chainId, orderIds, keptAttempts],
  );
}
