import type { consoleAccountRoutes } from '@aisle/contract/console-account';
import type { consoleUserRoutes } from '@aisle/contract/console-users';
import type { secondFactorRoutes } from '@aisle/contract/second-factor';
import type { supportRoutes } from '@aisle/contract/support';
import { Failure } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { ownInvitation } from './own-invitation.ts';
import { ownAccount } from './own-account.ts';
import { type AccountParts, consoleShapes } from './account-shapes.ts';
import { actForChain } from './act-for-chain.ts';
import { changeUser, removeUser, resetSecondFactor } from './change-user.ts';
import { type Access, sessionOf } from './gate.ts';
import { inviteUser } from './invitations.ts';
import { makeSecret } from './new-secret.ts';
import { createPlatformUser } from './platform-users.ts';
import { type ChainRow, findChain } from './queries.ts';
import { platformId, storedRole } from './rules/platform.ts';
import { ownFactor } from './second-factor.ts';
import { cookieHeaders, onBehalfResponse } from './session-response.ts';
import { countUsers, findUser, listUsers, type UserRow } from './user-queries.ts';
import { invitationResponse, platformUserResponse } from './user-response.ts';

type Routes = typeof consoleAccountRoutes & typeof consoleUserRoutes & Pick<typeof supportRoutes, 'consoleActForChain'>;

/** The console's users, and their own accounts, whose handlers are those of the portal. */
export function consoleHandlers(
  parts: AccountParts,
  factors: Handlers<typeof secondFactorRoutes, Access>,
): Handlers<Routes, Access> {
  const { config } = parts;
  const account = ownAccount(parts, 'console', consoleShapes);
  const invitations = ownInvitation(parts, 'console', consoleShapes);
  const invitedResponse = ({ user, ...invited }: { user: UserRow; token: string; expiresAt: Date }) => ({
    ...platformUserResponse(user),
    invitation: invitationResponse(config.links.console, invited),
  });
  return {
    consoleSignIn: account.signIn,
    consoleGetSession: account.getSession,
    consoleSignOut: account.signOut,
    consoleChangePassword: account.changePassword,
    consoleReadInvitation: invitations.readInvitation,
    consoleAcceptInvitation: invitations.acceptInvitation,
    consoleGetSecondFactor: factors.getSecondFactor,
    consoleStartSecondFactor: factors.startSecondFactor,
    consoleConfirmSecondFactor: factors.confirmSecondFactor,
    consoleDisableSecondFactor: factors.disableSecondFactor,

    async consoleActForChain({ db, transaction, access, body, headers }) {
      const { chainId, actor } = access;
      const user = await findUser(db, platformId, actor.id);
      if (!user) throw new Failure('invalid_token');
      const acting = { userId: user.user_id, reason: body.reason, from: sessionOf(access).hash };
      const { session, expiresAt } = await transaction((tx) => actForChain(tx, chainId, acting));
      const seconds = Math.round((expiresAt.getTime() - Date.now()) / 1000);
      return {
        status: 201,
        body: onBehalfResponse(user, (await findChain(db, chainId)) as ChainRow, expiresAt),
        headers: cookieHeaders(config.links.origin, session, seconds, headers.host, 'portal'),
      };
    },

    async platformListConsoleUsers({ db, query }) {
      const page = pageOf(query);
      const rows = await listUsers(db, platformId, page);
      const total = rows[0]?.total ?? (await countUsers(db, platformId));
      return { status: 200, body: paged('users', rows.map(platformUserResponse), total, page) };
    },

    async platformCreateConsoleUser({ transaction, body }) {
      const secret = await makeSecret(platformId, config.passwordCost);
      return transaction(async (tx) => {
        const { user, invited } = await createPlatformUser(tx, { ...body, invite: true }, secret);
        if (!invited) throw new Error('The new user has no invitation.');
        return { status: 201, body: invitedResponse({ user, ...invited }) };
      });
    },

    async platformUpdateConsoleUser({ transaction, params, body: { name, role } }) {
      const change = { ...(name !== undefined && { name }), ...(role !== undefined && { role: storedRole(role) }) };
      const row = await transaction((tx) => changeUser(tx, platformId, params.user_id, change).catch(explainLastAdmin));
      return { status: 200, body: platformUserResponse(row) };
    },

    async platformDeleteConsoleUser({ transaction, params }) {
      const row = await transaction((tx) => removeUser(tx, platformId, params.user_id).catch(explainLastAdmin));
      return { status: 200, body: platformUserResponse(row) };
    },

    async platformInviteConsoleUser({ transaction, params }) {
      const invited = await transaction((tx) => inviteUser(tx, platformId, params.user_id));
      return { status: 201, body: invitedResponse(invited) };
    },

    async platformResetConsoleSecondFactor({ transaction, access, params }) {
      const { kind, id } = access.actor;
      if (kind === 'operator' && id === params.user_id.toLowerCase()) throw ownFactor('/platform/v1');
      const row = await transaction((tx) => resetSecondFactor(tx, platformId, params.user_id));
      return { status: 200, body: platformUserResponse(row) };
    },
  };
}

/** The rule is the one that keeps an owner in every chain. */
function explainLastAdmin(error: unknown): never {
  const isLast = error instanceof Failure && error.code === 'last_owner';
  throw isLast ? new Failure('last_owner', 'The console needs at least one user with the role ADMIN.') : error;
}
