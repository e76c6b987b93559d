import { fileKinds } from '@aisle/contract/file-kinds';
import { fileStates } from '@aisle/contract/files';

/** The URL search parameters of the list of files. Without `all`, it shows the files for the selected store. */
export type FileSearch = {
  state?: (typeof fileStates)[number] | undefined;
  all?: true | undefined;
  page?: number | undefined;
};

export function parseFileSearch(search: Record<string, unknown>): FileSearch {
  return {
    state: fileStates.find((state) => state === search['state']),
    all: search['all'] === true ? true : undefined,
    page: Number(search['page']) > 1 ? Math.floor(Number(search['page'])) : undefined,
  };
}

/** Whether the page was opened because the same file was uploaded again. */
export type FilePageSearch = { repeat?: true | undefined };

export function parseFilePageSearch(search: Record<string, unknown>): FilePageSearch {
  return { repeat: search['repeat'] === true ? true : undefined };
}

/** The kind of file to upload. */
export type UploadSearch = { kind?: (typeof fileKinds)[number] | undefined };

export function parseUploadSearch(search: Record<string, unknown>): UploadSearch {
  return { kind: fileKinds.find((kind) => kind === search['kind']) };
}
