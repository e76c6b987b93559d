import { requiredRole, type Role, type Route, roles, type Scope, scopes } from '@aisle/contract/route';

/** Whether a user with this role is allowed to call the route. */
export function isAllowed(role: Role, route: Route): boolean {
  return roles.indexOf(role) >= roles.indexOf(requiredRole(route));
}

/** The scopes for which this role can call every route. */
export function scopesOf(role: Role): Scope[] {
  return scopes.filter((access) => {
    const method = access.endsWith(':read') ? 'GET' : 'POST';
    return roles.indexOf(role) >= roles.indexOf(requiredRole({ method, access }));
  });
}
