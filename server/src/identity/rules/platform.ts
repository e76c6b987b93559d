import type { PlatformRole, Role } from '@aisle/contract/route';
import { nilId } from '../../kernel/values/ids.ts';

/**
 * The chain of the operator. Its users are the users of the console, so that they have the same passwords, sessions,
 * invitations and second factors as the users of any other chain. It has no stores, is not listed, and is not part of
 * the API. Its row is inserted
 * together with the first user. Statements use `nilId`, because they cannot import rules.
 */
export const platformId = nilId;

/** Where people sign in. Each site has its own cookie, and its users and sessions are unknown to the other one. */
export type Site = 'portal' | 'console';

export function siteOf(chainId: string): Site {
  return chainId === platformId ? 'console' : 'portal';
}

/** The roles of the console are stored under the names of the corresponding roles in the portal. */
const storedRoles = { READ_ONLY: 'VIEWER', SUPPORT: 'MANAGER', ADMIN: 'OWNER' } as const satisfies Record<
  PlatformRole,
  Role
>;

export function storedRole(role: PlatformRole): Role {
  return storedRoles[role];
}

export function platformRoleOf(stored: Role): PlatformRole {
  if (stored === 'OWNER') return 'ADMIN';
  return stored === 'MANAGER' ? 'SUPPORT' : 'READ_ONLY';
}
