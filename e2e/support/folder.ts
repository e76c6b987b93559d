import { keepTemporaryFolder, makeTemporaryFolder, removeTemporaryFolder } from '../../tools/temporary-folder.ts';

/** Creates an empty folder. It is deleted when this process ends, or before by `remove`, unless `keep` is called. */
export function makeFolder(): { folder: string; remove(): void; keep(): void } {
  const folder = makeTemporaryFolder('e2e');
  return { folder, remove: () => removeTemporaryFolder(folder), keep: () => keepTemporaryFolder(folder) };
}
