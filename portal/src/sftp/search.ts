/** The URL search parameters of the SFTP page. */
export type SftpSearch = { open?: string | undefined };

export function parseSftpSearch(search: Record<string, unknown>): SftpSearch {
  return { open: typeof search['open'] === 'string' ? search['open'] : undefined };
}
