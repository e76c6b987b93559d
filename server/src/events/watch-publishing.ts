import type { Db } from '../kernel/database/db.ts';
import { findNextUnpublished } from './queries.ts';

/**
 * Returns a function that says whether publishing is stuck: the same event has been next for a while, whichever process
 * should publish it. It is found out by calling the function repeatedly.
 */
export function watchPublishing(db: Db, stuckMs = 15_000): () => Promise<boolean> {
  let next: string | undefined;
  let since = 0;
  return async () => {
    const found = await findNextUnpublished(db);
    if (found !== next) since = performance.now();
    next = found;
    return found !== undefined && performance.now() - since >= stuckMs;
  };
}
