import { sftpScopes } from '@aisle/contract/sftp';
import { formatList } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';
import type { SftpServer, SftpUser } from './use-sftp.ts';

export type SftpScope = (typeof sftpScopes)[number];

/** What each scope allows an SFTP user to do. */
export function sftpScopeLabels(t: Translate): Record<SftpScope, string> {
  const labels = sftpScopes.map((scope) => [scope, t(`sftp.scope.${scope}`)]);
  return Object.fromEntries(labels) as Record<SftpScope, string>;
}

type Logins = Pick<SftpUser, 'password_login' | 'public_keys'>;

/** For example "Password, 2 keys". */
export function listLogins(t: Translate, { password_login, public_keys: keys }: Logins): string {
  const logins = [
    ...(password_login ? [t('sftp.password')] : []),
    ...(keys.length > 0 ? [t('sftp.keys', { count: keys.length })] : []),
  ];
  return logins.length === 0 ? t('sftp.cannotLogIn') : formatList(logins);
}

/** The command that connects to the server with OpenSSH. Undefined if the server is not enabled. */
export function sftpCommand(server: SftpServer, username: string): string | undefined {
  if (!server.enabled || server.host === null || server.port === null) return undefined;
  return `sftp -P ${server.port} ${username}@${server.host}`;
}
