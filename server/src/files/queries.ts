import type { VisibleVendors } from '../jobs/index.ts';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { namedLock } from '../kernel/database/locks.ts';
import type { PageRequest } from '../kernel/http/page.ts';

export type FileRow = {
  chain_id: string;
  file_id: string;
  folder: string;
  name: string;
  /** The name without its extensions, such as `prices` for `prices.csv.gz`. Computed by the database. */
  base_name: string;
  state: 'UNFINISHED' | 'ACCEPTED';
  size: number;
  /** The SFTP session that has opened the unfinished file for writing. */
  writer: string | null;
  /** If the writer has not written for minutes, its process may have been killed. */
  is_writer_active: boolean;
  vendor_ids: string[] | null;
  is_limited: boolean;
  uploaded_by: string;
  actor: string;
  address: string;
  channel: 'sftp' | 'portal' | 'api';
  job_id: string | null;
  created_at: Date;
  updated_at: Date;
  accepted_at: Date | null;
};

export type NewFile = Pick<
  FileRow,
  | 'file_id'
  | 'folder'
  | 'name'
  | 'vendor_ids'
  | 'is_limited'
  | 'uploaded_by'
  | 'actor'
  | 'address'
  | 'channel'
  | 'writer'
>;

/** Whether promotion files, and all other files, are included. */
export type ReadableFolders = { promotions: boolean; others: boolean };

export type FileFilter = ReadableFolders & {
  state?: FileRow['state'] | undefined;
  /** Only files that can change this vendor's data. */
  vendorId?: string | undefined;
  folder?: string | undefined;
  /** Only files from this uploader. */
  actor?: string | undefined;
};

const storedColumns = `chain_id, file_id, folder, name, base_name, state, size::float8 as size, vendor_ids, is_limited,
  uploaded_by, actor, address, channel, job_id, created_at, updated_at, accepted_at,
  writer`;
export const columns = `${storedColumns}, updated_at > now() - interval '5 minutes' as is_writer_active`;
const visible = '($2::text[] is null or vendor_ids <@ $2)';
const readable = "case folder when '/promotions' then $3::boolean else $4::boolean end";
const filterSql = `chain_id = $1 and ${visible} and ($3::text is null or state = $3)
  and ($4::text is null or vendor_ids is null or $4 = any (vendor_ids)) and ($5::text is null or folder = $5)
  and ($6::text is null or actor = $6) and case folder when '/promotions' then $7::boolean else $8::boolean end`;

function filterValues(chainId: string, visibleVendors: VisibleVendors, filter: FileFilter): unknown[] {
  const { state, vendorId, folder, actor, promotions, others } = filter;
  return [chainId, visibleVendors, state, vendorId, folder, actor, promotions, others];
}

export async function insertFile(tx: Tx, chainId: string, file: NewFile): Promise<FileRow> {
  const rows = await tx.query<FileRow>(
    `insert into files (chain_id, file_id, folder, name, vendor_ids, is_limited, uploaded_by, actor, address, channel,
       writer)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${storedColumns}, true as is_writer_active`,
    [
      chainId,
      file.file_id,
      file.folder,
      file.name,
      file.vendor_ids,
      file.is_limited,
      file.uploaded_by,
      file.actor,
      file.address,
      file.channel,
      file.writer,
    ],
  );
  return rows[0] as FileRow;
}

export async function findFile(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  fileId: string,
): Promise<FileRow | undefined> {
  const rows = await db.query<FileRow>(
    `select ${columns} from files where chain_id = $1 and ${visible} and file_id = $3`,
    [chainId, visibleVendors, fileId],
  );
  return rows[0];
}

/** Newest first. */
export function listFiles(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  filter: FileFilter,
  page: PageRequest,
): Promise<FileRow[]> {
  return db.query(
    `select ${columns} from files where ${filterSql} order by created_at desc, file_id desc limit $9 offset $10`,
    [...filterValues(chainId, visibleVendors, filter), page.pageSize, page.offset],
  );
}

export async function countFiles(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  filter: FileFilter,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from files where ${filterSql}`,
    filterValues(chainId, visibleVendors, filter),
  );
  return rows[0]?.count ?? 0;
}

/** Newest first. */
export function listAccepted(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  { promotions, others }: ReadableFolders,
  page: PageRequest,
): Promise<FileRow[]> {
  return db.query(
    `select ${columns} from files where chain_id = $1 and ${visible} and state = 'ACCEPTED' and ${readable}
     order by accepted_at desc, file_id desc limit $5 offset $6`,
    [chainId, visibleVendors, promotions, others, page.pageSize, page.offset],
  );
}

/** The file that was accepted last of those with this name, whatever their extensions and folders. */
export async function findNewestAccepted(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  { promotions, others }: ReadableFolders,
  baseName: string,
): Promise<FileRow | undefined> {
  const rows = await db.query<FileRow>(
    `select ${columns} from files
     where chain_id = $1 and ${visible} and state = 'ACCEPTED' and ${readable} and base_name = $5
     order by accepted_at desc limit 1`,
    [chainId, visibleVendors, promotions, others, baseName],
  );
  return rows[0];
}

export async function findFileByJob(
  db: Db,
  chainId: string,
  visibleVendors: VisibleVendors,
  { promotions, others }: ReadableFolders,
  jobId: string,
): Promise<FileRow | undefined> {
  const rows = await db.query<FileRow>(
    `select ${columns} from files where chain_id = $1 and ${visible} and ${readable} and job_id = $5`,
    [chainId, visibleVendors, promotions, others, jobId],
  );
  return rows[0];
}

export async function deleteFile(tx: Tx, chainId: string, fileId: string): Promise<void> {
  await tx.query('delete from files where chain_id = $1 and file_id = $2', [chainId, fileId]);
}

/** The stored form of a file's format, which can be large. Null if the file has not been read yet. */
export async function findFormat(db: Db, chainId: string, fileId: string): Promise<unknown> {
  const rows = await db.query<{ format: unknown }>('select format from files where chain_id = $1 and file_id = $2', [
    chainId,
    fileId,
  ]);
  return rows[0]?.format ?? null;
}

export async function updateFormat(tx: Tx, chainId: string, fileId: string, format: object): Promise<void> {
  await tx.query('update files set format = $3 where chain_id = $1 and file_id = $2', [chainId, fileId, format]);
}

/** Locks the name until the transaction ends, so that the same file cannot be accepted twice concurrently. */
export async function lockName(tx: Tx, chainId: string, { folder, name }: Pick<FileRow, 'folder' | 'name'>) {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('fileName')})`, [`${chainId} ${folder} ${name}`]);
}

/**
 * The newest accepted file with the same folder, name and stores, if its content is the same. An older file with this
 * content does not count, because uploading it again undoes what the newer one has changed.
 */
export async function findRepeated(
  tx: Tx,
  chainId: string,
  file: Pick<FileRow, 'folder' | 'name' | 'size' | 'vendor_ids' | 'is_limited'>,
  digest: Buffer,
  hours: number,
): Promise<FileRow | undefined> {
  const rows = await tx.query<FileRow & { is_same: boolean }>(
    `select ${columns}, digest = $4 and size = $5 as is_same from files
     where chain_id = $1 and folder = $2 and name = $3 and state = 'ACCEPTED'
       and vendor_ids is not distinct from $6 and is_limited = $7 and accepted_at > now() - make_interval(hours => $8)
     order by accepted_at desc limit 1`,
    [chainId, file.folder, file.name, digest, file.size, file.vendor_ids, file.is_limited, hours],
  );
  return rows[0]?.is_same ? rows[0] : undefined;
}

export async function markAccepted(
  tx: Tx,
  chainId: string,
  fileId: string,
  { name, is_limited, digest, jobId }: Pick<FileRow, 'name' | 'is_limited'> & { digest: Buffer; jobId: string },
): Promise<void> {
  await tx.query(
    `update files set state = 'ACCEPTED', name = $3, is_limited = $4, digest = $5, job_id = $6,
       accepted_at = statement_timestamp(), updated_at = now()
     where chain_id = $1 and file_id = $2`,
    [chainId, fileId, name, is_limited, digest, jobId],
  );
}

/** Assigns the file of one job, if it has one, to another job. */
export async function updateJobOf(tx: Tx, chainId: string, fromJobId: string, toJobId: string): Promise<void> {
  await tx.query('update files set job_id = $3, updated_at = now() where chain_id = $1 and job_id = $2', [
    chainId,
    fromJobId,
    toJobId,
  ]);
}

export function deleteExpiredUnfinished(tx: Tx, hours: number): Promise<number> {
  return countAffected(
    tx,
    `delete from files where state = 'UNFINISHED' and updated_at < now() - make_interval(hours => $1)`,
    [hours],
  );
}
