import type { Tx } from '../kernel/database/db.ts';
import { columns, type FileRow, type NewFile } from './queries.ts';

export async function lockUnfinished(tx: Tx, chainId: string, fileId: string): Promise<FileRow | undefined> {
  const rows = await tx.query<FileRow>(
    `select ${columns} from files where chain_id = $1 and file_id = $2 and state = 'UNFINISHED' for update`,
    [chainId, fileId],
  );
  return rows[0];
}

/** The uploader's unfinished files with this name. They stay locked until the transaction ends. */
export function lockUnfinishedNamed(tx: Tx, chainId: string, file: FilePlace): Promise<FileRow[]> {
  return tx.query(`select ${columns} from files where ${isUnfinishedNamed} for update`, placeValues(chainId, file));
}

/** Deletes the uploader's unfinished file with this name, which a new upload replaces. */
export async function deleteUnfinishedNamed(tx: Tx, chainId: string, file: FilePlace): Promise<void> {
  await tx.query(`delete from files where ${isUnfinishedNamed}`, placeValues(chainId, file));
}

type FilePlace = Pick<NewFile, 'folder' | 'name' | 'actor'>;
const isUnfinishedNamed = `chain_id = $1 and folder = $2 and name = $3 and actor = $4 and state = 'UNFINISHED'`;

function placeValues(chainId: string, { folder, name, actor }: FilePlace): unknown[] {
  return [chainId, folder, name, actor];
}

export async function updateWriter(tx: Tx, chainId: string, fileId: string, writer: string): Promise<void> {
  await tx.query('update files set writer = $3, updated_at = now() where chain_id = $1 and file_id = $2', [
    chainId,
    fileId,
    writer,
  ]);
}

/** The session no longer writes the file, so other sessions can rename or delete it. */
export async function clearWriter(tx: Tx, chainId: string, fileId: string, writer: string): Promise<void> {
  await tx.query(
    `update files set writer = null where chain_id = $1 and file_id = $2 and writer = $3 and state = 'UNFINISHED'`,
    [chainId, fileId, writer],
  );
}

export async function sumUnfinishedBytes(tx: Tx, chainId: string): Promise<number> {
  const rows = await tx.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::float8 as bytes from files where chain_id = $1 and state = 'UNFINISHED'`,
    [chainId],
  );
  return rows[0]?.bytes ?? 0;
}

export async function updateSize(tx: Tx, chainId: string, fileId: string, size: number): Promise<void> {
  await tx.query('update files set size = $3, updated_at = now() where chain_id = $1 and file_id = $2', [
    chainId,
    fileId,
    size,
  ]);
}

export async function updateName(tx: Tx, chainId: string, fileId: string, name: string): Promise<void> {
  await tx.query('update files set name = $3, updated_at = now() where chain_id = $1 and file_id = $2', [
    chainId,
    fileId,
    name,
  ]);
}
