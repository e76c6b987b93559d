import type { Config } from '../config.ts';
import type { Uploader } from '../files/index.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Shares } from '../kernel/database/shares.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Connection } from './connection.ts';
import type { ChainMemory } from './memory.ts';
import type { SftpMetrics } from './metrics.ts';
import type { LoginRow } from './queries.ts';
import type { SnapshotCache } from './snapshot.ts';
import type { TimeBudget } from './time-budget.ts';

/** The dependencies and state of a session. */
export type SessionContext = {
  config: Config;
  db: Database;
  log: Log;
  metrics: SftpMetrics;
  connection: Connection;
  user: LoginRow;
  memory: ChainMemory;
  /** Limits how many exports of a chain are produced at the same time, because each of them holds a connection. */
  exports: Shares;
  /** Runs a chain's listings of folders one after the other, because one with 500 files takes 10 to 20 ms. */
  listings<Result>(chainId: string, list: () => Promise<Result>): Promise<Result>;
  budget: TimeBudget;
  /** Identifies the session as the writer of its open files. */
  writer: string;
  startedAt: Date;
  /**
   * The files that were accepted in this session, by path. They are no longer in their folder, but many clients check
   * the size of a file after the upload.
   */
  accepted: Map<string, { size: number; modifiedAt: Date }>;
  /** The sizes of the unfinished files that this session has written, as the client knows them, by id. */
  written: Map<string, number>;
  snapshots: SnapshotCache;
};

export function uploaderOf({ user, connection }: Pick<SessionContext, 'user' | 'connection'>): Uploader {
  return {
    name: user.username,
    by: `sftp:${user.sftp_user_id}`,
    address: connection.address,
    channel: 'sftp',
    vendorIds: user.vendor_ids,
    scopes: user.scopes,
  };
}
