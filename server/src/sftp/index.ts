import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { sftpHandlers } from './handlers.ts';

export { createUser as createSftpUser } from './create-user.ts';

export function sftpFeature(config: Config): Feature<ReturnType<typeof sftpHandlers>> {
  return { handlers: sftpHandlers(config), tasks: {}, chores: [], close: async () => {} };
}
