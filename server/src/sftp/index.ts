import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { sftpHandlers } from './handlers.ts';
import { findHostKey } from './host-key.ts';
import { createSftpServer, type ServerParts, type SftpServer } from './server.ts';

export { createUser as createSftpUser } from './create-user.ts';
export { findHostKey, generateKey, HostKeyError, hostKeyFile, publicSftpAddress } from './host-key.ts';
export { deleteUsersNamed as deleteSftpUsersNamed, sftpChannel } from './queries.ts';
export type { SftpServer } from './server.ts';

type SftpFeature = Feature<ReturnType<typeof sftpHandlers>> & {
  /** Undefined if the server is off, or if it has no host key. */
  createServer(parts: Omit<ServerParts, 'config' | 'hostKey'>): SftpServer | undefined;
};

export function sftpFeature(config: Config): SftpFeature {
  return {
    handlers: sftpHandlers(config),
    tasks: {},
    chores: [],
    close: async () => {},
    createServer(parts) {
      const hostKey = config.sftp.port === null ? undefined : findHostKey(config);
      return hostKey && createSftpServer({ ...parts, config, hostKey });
    },
  };
}
