import { requiredRole, type Role, type Route, roles } from '@aisle/contract/route';

/** Whether a person of this role may call the route. */
export function isAllowed(role: Role, route: Route): boolean {
  return roles.indexOf(role) >= roles.indexOf(requiredRole(route));
}
