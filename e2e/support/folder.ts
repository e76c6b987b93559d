import { makeTemporaryFolder, removeTemporaryFolder } from '../../tools/temporary-folder.ts';

/** Creates an empty folder, and returns it with a function that deletes it and its contents. */
export function makeFolder(): { folder: string; remove(): void } {
  const folder = makeTemporaryFolder('e2e');
  return { folder, remove: () => removeTemporaryFolder(folder) };
}
