import type { Db, Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { JobError } from './queries.ts';
import {
  addJobBytes,
  findJobBytes,
  type JobBytes,
  listUnmeasured,
  measureJobBytes,
  setJobBytes,
} from './storage-queries.ts';

/**
 * Limits what is stored for a chain's jobs, so that one chain cannot fill the disk. Everything that a chain sends is
 * counted when it is accepted. What its jobs store then, and what expires, is found by a chore, which stores the size and
 * the limit in the row that is checked here. The row stays locked until the caller's transaction ends, so this is called
 * as late as possible.
 */
export async function countStored(tx: Tx, chainId: string, bytes: number, isRemoval = false): Promise<void> {
  const stored = await addJobBytes(tx, chainId, bytes);
  const factor = isRemoval ? removalFactor : 1;
  if (stored.max !== null && stored.bytes > stored.max * factor) throw storageFull(stored.bytes - bytes, stored.max);
}

/** How much can be stored, relative to the limit, by jobs that remove SKUs from promotions. */
const removalFactor = 1.1;

/** Fails if nothing more can be stored. Called before a file is uploaded. */
export async function checkStored(db: Db, chainId: string): Promise<void> {
  const stored = await findJobBytes(db, chainId);
  if (stored?.max && stored.bytes >= stored.max) throw storageFull(stored.bytes, stored.max);
}

/**
 * Whether jobs that were accepted already must be stopped. What they store is estimated when they are accepted, except for
 * files, whose rows can be applied to many stores.
 */
export function isOverfull(stored: JobBytes | undefined): boolean {
  return stored?.max != null && stored.bytes > stored.max * stopFactor;
}

const stopFactor = 1.2;
export const stoppedError: JobError = {
  code: 'storage_limit_reached',
  message: 'The job was stopped because the jobs, files and promotions of the chain use far more space than allowed.',
};

/**
 * Measures the chains that are due, until a part of a minute has passed; the others are the first ones next time. The
 * results are stored at the end, because their rows are then locked.
 */
export async function measureChains(tx: Tx, scope: Scope, maxBytes: number): Promise<string> {
  const started = performance.now();
  const measured: { chainId: string; bytes: number; milliseconds: number }[] = [];
  for (const chainId of await listUnmeasured(tx, scope, maxBytes)) {
    const begun = performance.now();
    if (begun - started > maxMilliseconds) break;
    const bytes = await measureJobBytes(tx, chainId);
    measured.push({ chainId, bytes, milliseconds: performance.now() - begun });
  }
  for (const { chainId, ...sizes } of measured) setJobBytes(tx, chainId, { ...sizes, maxBytes });
  return `${measured.length} chains`;
}

const maxMilliseconds = 20_000;

function storageFull(bytes: number, max: number): Failure {
  const detail = `The chain's jobs, files and promotions may use ${max} bytes, and ${bytes} are used.`;
  return new Failure('storage_limit_reached', detail);
}
