import type { SessionContext } from './context.ts';
import { maxUnfinished } from './tree.ts';

type Written = Pick<SessionContext, 'written'>;

/** Remembers where the acknowledged bytes of a file end that has been closed, but not accepted. */
export function rememberSize({ written }: Written, fileId: string, acknowledged: number): void {
  const size = Math.max(acknowledged, written.get(fileId) ?? 0);
  written.delete(fileId);
  written.set(fileId, size);
  const [oldest] = written.keys();
  if (written.size > maxUnfinished && oldest !== undefined) written.delete(oldest);
}

/**
 * The size that an unfinished file must have, which is larger than what is stored if a failover has lost its end after
 * it was closed. Another session can have continued the file.
 */
export function expectedSize({ written }: Written, fileId: string, stored: number): number {
  return Math.max(stored, written.get(fileId) ?? 0);
}
