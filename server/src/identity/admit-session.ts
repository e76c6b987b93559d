import {
  isPlatformRoleAllowed,
  isRoleAllowed,
  requiredPlatformRole,
  requiredRole,
  type Role,
  type Route,
} from '@aisle/contract/route';
import { Failure } from '../kernel/failures/failure.ts';
import { platformRoleOf } from './rules/platform.ts';

export type SessionOf = {
  hash: Buffer;
  expiresAt: Date;
  role: Role;
  mustSetUpSecondFactor: boolean;
  mustChangePassword: boolean;
  /** Whether the request has a short-lived token of the session instead of the session cookie. */
  isViaToken: boolean;
  /** The name of the operator's user who acts on behalf of the chain. Null in the user's own session. */
  onBehalf: string | null;
};

/** Fails if the user's role does not allow the route, or if the user has to do something else first. */
export function admitSession(
  { role, mustSetUpSecondFactor: needsFactor, mustChangePassword, isViaToken, onBehalf }: SessionOf,
  route: Route,
): void {
  if (onBehalf !== null && route.access === 'session' && route.path !== sessionPath) throw notOwnAccount();
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

/** Fails if the role of the console's user does not allow the route, or if the user has to change the password first. */
export function admitOperator({ role: stored, mustChangePassword }: SessionOf, route: Route): void {
  if (mustChangePassword && route.access !== 'console') {
    throw new Failure('forbidden', 'Your password was set by another person; change it in the console first.');
  }
  const role = platformRoleOf(stored);
  if (isPlatformRoleAllowed(role, route)) return;
  throw new Failure('forbidden', `This requires the role ${requiredPlatformRole(route)}; yours is ${role}.`);
}

/** Where a session is read and ended. */
const sessionPath = '/v2/portal/session';

function notOwnAccount(): Failure {
  return new Failure('forbidden', 'You act on behalf of the chain; manage your own account in the console.');
}
