import type { onboardingRoutes } from '@aisle/contract/onboarding';
import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { ownInvitation } from './own-invitation.ts';
import { ownAccount } from './own-account.ts';
import { type AccountParts, portalShapes } from './account-shapes.ts';
import { chainHandlers } from './chain-handlers.ts';
import { identityChores } from './chores.ts';
import { clientHandlers } from './client-handlers.ts';
import { consoleHandlers } from './console-handlers.ts';
import type { Access } from './gate.ts';
import { createFactorSecrets } from './factor-secrets.ts';
import { createAttemptGuard } from './guard-attempts.ts';
import { invitationHandlers } from './invitation-handlers.ts';
import { secondFactorHandlers } from './second-factor-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';
import { tokenHandlers } from './token-handlers.ts';
import { userHandlers } from './user-handlers.ts';
import { vendorHandlers } from './vendor-handlers.ts';
import { createPasswordCheck } from './weak-password.ts';
import { whoamiHandlers } from './whoami-handlers.ts';

export { getChainById, getFilteredStore, getVendorById } from './store-filter.ts';
export { createClient } from './create-client.ts';
export { createPlatformUser, findPlatformUser, invitePlatformUser } from './platform-users.ts';
export { platformId, platformRoleOf } from './rules/platform.ts';
export { createPlatformToken } from './create-platform-token.ts';
export { createToken } from './create-token.ts';
export { createUser } from './create-user.ts';
export {
  deleteCredentialsNamed,
  deletePlatformTokensNamed,
  findCredential,
  findCredentialName,
  insertPlatformToken,
} from './credential-queries.ts';
export { countFactors, discardFactors } from './factor-secrets.ts';
export { type Access, type Actor, admitVendors, createGate } from './gate.ts';
export { type AttemptGuard, type AttemptSource, createAttemptGuard } from './guard-attempts.ts';
export { createLookups, type Lookups } from './lookups.ts';
export { findActorName, findOrigin } from './origin.ts';
export { makeSecret, makeSecretForEmail, type NewSecret } from './new-secret.ts';
export { findMatching } from './passwords.ts';
export {
  countVendors,
  findChain,
  findVendors,
  identityChannel,
  insertChain,
  insertPlatform,
  listAllVendors,
  listChainIds,
  listVendors,
  lockChain,
  lockInChain,
  lockVendors,
  type VendorRow,
} from './queries.ts';
export { getVendor, getVendorIds, resolveVendors } from './resolve-vendors.ts';
export { decideScopes, rejectExpiringCreator } from './rules/own-access.ts';
export { tokenHash } from './rules/token.ts';
export { createVendor, type VendorInput } from './save-vendor.ts';
export { newToken } from './secrets.ts';
export { signIn } from './sign-in.ts';
export { createLastUsed, type LastUsed } from './last-used.ts';
export { deleteUser, findUser as findUserById, findUserByEmail } from './user-queries.ts';

type IdentityHandlers = ReturnType<typeof chainHandlers> &
  ReturnType<typeof vendorHandlers> &
  ReturnType<typeof tokenHandlers> &
  ReturnType<typeof clientHandlers> &
  ReturnType<typeof whoamiHandlers> &
  ReturnType<typeof userHandlers> &
  ReturnType<typeof consoleHandlers> &
  ReturnType<typeof portalAccount> &
  Handlers<Pick<typeof onboardingRoutes, 'platformListTokens' | 'platformListClients'>, Access> &
  ReturnType<typeof sessionHandlers> &
  ReturnType<typeof invitationHandlers> &
  ReturnType<typeof secondFactorHandlers>;

export function identityFeature(config: Config): Feature<IdentityHandlers> {
  const guard = createAttemptGuard(config.rateLimits.enforced);
  const secrets = createFactorSecrets(config.secretKeys);
  const passwords = createPasswordCheck();
  const factors = secondFactorHandlers(secrets, guard);
  const tokens = tokenHandlers(config);
  const clients = clientHandlers(config, guard);
  const parts = { config, secrets, guard, passwords };
  return {
    handlers: {
      ...chainHandlers(config),
      ...vendorHandlers(),
      ...tokens,
      ...clients,
      platformListTokens: tokens.listTokens,
      platformListClients: clients.listClients,
      ...whoamiHandlers(config),
      ...userHandlers(config, passwords),
      ...portalAccount(parts),
      ...consoleHandlers(parts, factors),
      ...sessionHandlers(config),
      ...invitationHandlers(config),
      ...factors,
    },
    tasks: {},
    chores: identityChores(config),
    close: () => passwords.close(),
  };
}

function portalAccount(parts: AccountParts) {
  return { ...ownAccount(parts, 'portal', portalShapes), ...ownInvitation(parts, 'portal', portalShapes) };
}
