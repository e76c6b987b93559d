import type { sftpScopes } from '@aisle/contract/sftp';
import type { SftpServer, SftpUser } from './use-sftp.ts';

export type SftpScope = (typeof sftpScopes)[number];

/** What each scope allows an SFTP user to do. */
export const sftpScopeLabels: Record<SftpScope, string> = {
  'catalog:read': 'Download exports and the results of catalog files',
  'catalog:write': 'Upload prices, stock and new products',
  'promotions:read': 'Download the results of promotion files',
  'promotions:write': 'Upload promotions',
};

/** For example "Password, 2 keys". */
export function listLogins({ password_login, public_keys }: Pick<SftpUser, 'password_login' | 'public_keys'>): string {
  const count = public_keys.length;
  const keys = count === 0 ? [] : [count === 1 ? '1 key' : `${count} keys`];
  const logins = [...(password_login ? ['Password'] : []), ...keys];
  return logins.length === 0 ? 'Cannot log in yet' : logins.join(', ');
}

/** The command that connects to the server with OpenSSH. Undefined if the server is not enabled. */
export function sftpCommand(server: SftpServer, username: string): string | undefined {
  if (!server.enabled || server.host === null || server.port === null) return undefined;
  return `sftp -P ${server.port} ${username}@${server.host}`;
}
