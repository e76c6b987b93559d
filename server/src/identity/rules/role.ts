import { requiredRole, type Role, type Route, roles, type Scope, scopes } from '@aisle/contract/route';

/** Whether a user with this role may call the route. */
export function isAllowed(role: Role, route: Route): boolean {
  return roles.indexOf(role) >= roles.indexOf(requiredRole(route));
}

/** The scopes whose routes are all open to this role. */
export function scopesOf(role: Role): Scope[] {
  return scopes.filter((access) => {
    const method = access.endsWith(':read') ? 'GET' : 'POST';
    return roles.indexOf(role) >= roles.indexOf(requiredRole({ method, access }));
  });
}
