import { isRoleAllowed, requiredRole, type Role, type Route } from '@aisle/contract/route';
import { Failure } from '../kernel/failures/failure.ts';

export type SessionOf = {
  hash: Buffer;
  expiresAt: Date;
  role: Role;
  mustSetUpSecondFactor: boolean;
  mustChangePassword: boolean;
  /** Whether the request has a short-lived token of the session instead of the session cookie. */
  isViaToken: boolean;
};

/** Fails if the user's role does not allow the route, or if the user has to do something else first. */
export function admitSession(
  { role, mustSetUpSecondFactor: needsFactor, mustChangePassword, isViaToken }: SessionOf,
  route: Route,
): void {
  if (mustChangePassword && route.access !== 'session') {
    throw new Failure('forbidden', 'Your password was set by another person; change it in the portal first.');
  }
  if (needsFactor && route.access !== 'session') {
    throw new Failure(
      'forbidden',
      'This chain requires owners to have a second factor; set it up on your account page.',
    );
  }
  if (isViaToken && route.access === 'users:manage') {
    throw new Failure('forbidden', 'The token of a session cannot manage users; use the portal.');
  }
  if (isRoleAllowed(role, route)) return;
  if (role === 'PICKER') throw new Failure('forbidden', 'The role PICKER gives access only to orders and picking.');
  throw new Failure('forbidden', `This requires the role ${requiredRole(route)}; yours is ${role}.`);
}
