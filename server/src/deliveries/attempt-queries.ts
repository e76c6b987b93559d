import type { Tx } from '../kernel/database/db.ts';
import type { Head } from './lane-queries.ts';
import type { Outcome } from '../webhooks/index.ts';
import type { DeliveryStatus } from './rules/attempt.ts';

/** An attempt that has ended, and the new status of its delivery. */
export type Finished = {
  head: Head;
  startedAt: Date;
  durationMs: number;
  outcome: Outcome;
  httpStatus: number | null;
  url: string;
  response: Buffer;
  status: DeliveryStatus;
  /** The delay before the next attempt. It is added to the database's time, because a worker's clock can be wrong. */
  retrySeconds: number | null;
};

/** Writes the attempts and the new status of their deliveries. */
export async function writeAttempts(tx: Tx, finished: Finished[]): Promise<void> {
  await tx.query(
    `with f as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::text[], $7::int[],
         $8::text[], $9::text[], $10::bytea[], $11::text[], $12::float8[])
         as f (chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, http_status, environment, url,
           answer, status, retry_seconds)
     ), updated as (
       update deliveries d set status = f.status, attempt_count = d.attempt_count + 1, tries = d.tries + 1,
         last_outcome = f.outcome, next_attempt_at = now() + make_interval(secs => f.retry_seconds), updated_at = now()
       from f where d.chain_id = f.chain_id and d.delivery_id = f.delivery_id
     )
     insert into delivery_attempts (chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, http_status,
       environment, url, answer)
     select chain_id, delivery_id, attempt_no, started_at, duration_ms, outcome, http_status, environment, url, answer
     from f`,
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
      finished.map(({ response }) => response),
      finished.map(({ status }) => status),
      finished.map(({ retrySeconds }) => retrySeconds),
    ],
  );
}
