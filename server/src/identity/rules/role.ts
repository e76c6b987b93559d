import { isRoleAllowed, type Role, type Scope, scopes } from '@aisle/contract/route';

/** The scopes for which this role can call every route. */
export function scopesOf(role: Role): Scope[] {
  return scopes.filter((access) => {
    const method = access.endsWith(':read') ? 'GET' : 'POST';
    return isRoleAllowed(role, { method, access });
  });
}
