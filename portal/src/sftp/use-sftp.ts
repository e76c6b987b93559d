import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';

export type SftpUser = ResponseBody<'getSftpUser'>;
export type SftpServer = ResponseBody<'getSftpServer'>;

export function useSftpServer(): SftpServer | undefined {
  return useRead('getSftpServer', {}, { staleTime: 60_000 }).data;
}
