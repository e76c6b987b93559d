import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { fileChores } from './chores.ts';
import { createThreadPool } from '../kernel/bodies/thread-pool.ts';
import type { Database } from '../kernel/database/db.ts';
import { fileHandlers } from './handlers.ts';
import type { Metrics } from '../kernel/monitoring/metrics.ts';
import { createFileMetrics } from './metrics.ts';
import { createFileReader } from './read-file.ts';
import type { ReadThreads } from './read-next.ts';
import { fileTasks } from './tasks.ts';

export { type AcceptedFile, acceptFile } from './accept-file.ts';
export { partBytes } from './part-queries.ts';
export {
  countFiles,
  type FileFilter,
  type FileRow,
  findFile,
  listFiles,
  type ReadableFolders,
} from './queries.ts';
export { listResults, type ReadableFile, readExport, readResult, type ResultFile } from './read-results.ts';
export { type Folder, type FolderKind, folderPath } from './rules/folder.ts';
export { isFileName, isStatusName, isTemporaryName } from './rules/name.ts';
export { template } from './rules/template.ts';
export { clearWriter as releaseFile } from './unfinished-queries.ts';
export {
  appendPart,
  checkSize,
  deleteUnfinished,
  getFolder,
  releaseWritten,
  renameFile,
  startFile,
  takeOverFile,
  type Uploader,
  type UploadLimits,
} from './upload-file.ts';

export function filesFeature(config: Config, db: Database, metrics: Metrics): Feature<ReturnType<typeof fileHandlers>> {
  const threads: ReadThreads = createThreadPool(new URL('./read-thread.ts', import.meta.url), threadOptions);
  const limits = { maxBytes: config.limits.fileBytes, maxRatio: 200 };
  const reader = createFileReader({
    db,
    threads,
    limits,
    maxPromotionPairs: config.limits.promotionPairs,
    maxPromotionBytes: config.limits.catalogBytes,
  });
  return {
    handlers: fileHandlers(config),
    tasks: fileTasks(reader, createFileMetrics(metrics.registry)),
    chores: fileChores(config),
    async close() {
      await reader.close();
      await threads.close();
    },
  };
}

const threadOptions = { count: 2, memoryMb: 512, youngMb: 32 };
