import { acceptFile, type Folder, folderPath } from '../files/index.ts';
import { identify } from './connection.ts';
import type { SessionContext } from './context.ts';
import { findRevisions } from './queries.ts';
import { denied } from './refusal.ts';

/** Accepts a file that is complete, and remembers it for the session. */
export async function acceptUpload(
  context: SessionContext,
  file: { fileId: string; folder: Folder; name: string; size: number; startedAt: number },
): Promise<void> {
  const { db, user, log, metrics, connection, writer } = context;
  const path = folderPath(file.folder);
  const line = { event: 'sftp.file', ...identify(connection), folder: path, name: file.name, bytes: file.size };
  try {
    const { fileId, jobIds, isRepeat } = await db.transaction(async (tx) => {
      const revisions = await findRevisions(tx, [user.sftp_user_id]);
      if (revisions.get(user.sftp_user_id) !== user.revision) throw denied('The user has been changed; log in again.');
      const isLimited = user.vendor_ids !== null;
      return acceptFile(tx, user.chain_id, file.fileId, { finalName: file.name, isLimited, writer, size: file.size });
    });
    const seconds = Math.round(performance.now() - file.startedAt) / 1000;
    log.info({ ...line, seconds, file_id: fileId, job_ids: jobIds, is_repeat: isRepeat });
    metrics.countFile(isRepeat ? 'repeated' : 'accepted');
  } catch (error) {
    metrics.countFile('failed');
    log.warn({ ...line, error: (error as Error).message });
    throw error;
  }
  connection.files += 1;
  if (context.accepted.size >= maxAccepted) context.accepted.clear();
  context.accepted.set(`${path}/${file.name}`, { size: file.size, modifiedAt: new Date() });
}

/** The maximum number of accepted files that a session remembers. */
const maxAccepted = 1000;
