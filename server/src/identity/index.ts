import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { identityChores } from './chores.ts';
import { identityHandlers } from './handlers.ts';
import type { Lookups } from './lookups.ts';
import { userHandlers } from './user-handlers.ts';

export { createClient } from './create-client.ts';
export { createPlatformToken } from './create-platform-token.ts';
export { createToken } from './create-token.ts';
export { createUser } from './create-user.ts';
export {
  deleteCredentialsNamed,
  deletePlatformTokensNamed,
  findCredential,
  insertPlatformToken,
} from './credential-queries.ts';
export { type Access, type Actor, admitVendors, createGate } from './gate.ts';
export { createLookups, identityChannel, type Lookups } from './lookups.ts';
export { findChain, findVendors, insertChain, listAllVendors, lockVendor, type VendorRow } from './queries.ts';
export { newToken } from './new-token.ts';
export { tokenHash } from './rules/token.ts';
export { createVendor, type VendorInput } from './save-vendor.ts';
export { signIn } from './sign-in.ts';
export { createUseLog } from './use-log.ts';
export { deleteUser, findUserByEmail } from './user-queries.ts';

type IdentityHandlers = ReturnType<typeof identityHandlers> & ReturnType<typeof userHandlers>;

export function identityFeature(config: Config, lookups: Lookups): Feature<IdentityHandlers> {
  return {
    handlers: { ...identityHandlers(config, lookups), ...userHandlers(config, lookups) },
    tasks: {},
    chores: identityChores(config),
    close: async () => {},
  };
}
