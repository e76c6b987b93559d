import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { fileChores } from './chores.ts';
import { fileHandlers } from './handlers.ts';

export { type AcceptedFile, acceptFile } from './accept-file.ts';
export { partBytes } from './part-queries.ts';
export {
  countFiles,
  type FileFilter,
  type FileRow,
  findFile,
  listFiles,
} from './queries.ts';
export { listResults, type ReadableFile, readExport, readResult, type ResultFile } from './read-results.ts';
export { type Folder, type FolderKind, folderPath } from './rules/folder.ts';
export { failedRowsName, isFileName, isTemporaryName } from './rules/name.ts';
export { template } from './rules/template.ts';
export {
  appendPart,
  deleteUnfinished,
  getFolder,
  renameFile,
  startFile,
  type Uploader,
  type UploadLimits,
} from './upload-file.ts';

export function filesFeature(config: Config): Feature<ReturnType<typeof fileHandlers>> {
  return { handlers: fileHandlers(config), tasks: {}, chores: fileChores(config), close: async () => {} };
}
