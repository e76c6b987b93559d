import { requiredRole, type Role, type Route, roles } from '@aisle/contract/route';

/** Whether a user with this role may call the route. */
export function isAllowed(role: Role, route: Route): boolean {
  return roles.indexOf(role) >= roles.indexOf(requiredRole(route));
}
