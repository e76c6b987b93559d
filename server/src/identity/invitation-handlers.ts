import type { invitationRoutes } from '@aisle/contract/invitations';
import type { Config } from '../config.ts';
import type { Handlers } from '../kernel/http/call.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { type Access, admitVendors, rejectCrossOrigin } from './gate.ts';
import type { AttemptGuard } from './guard-attempts.ts';
import { acceptInvitation, getInvitation, inviteUser, revokeInvitation } from './invitations.ts';
import { type ChainRow, findChain } from './queries.ts';
import { describeDevice } from './rules/device.ts';
import { rejectExpiringCreator } from './rules/own-access.ts';
import { hasOriginHeaders } from './rules/session-cookie.ts';
import { cookieHeaders, sessionResponse } from './session-response.ts';
import { invitationResponse, userResponse } from './user-response.ts';
import type { PasswordCheck } from './weak-password.ts';

export function invitationHandlers(
  config: Config,
  secrets: FactorSecrets,
  guard: AttemptGuard,
  passwords: PasswordCheck,
): Handlers<typeof invitationRoutes, Access> {
  const { links, limits, passwordCost: cost } = config;
  const hours = limits.sessionHours;
  const terms = { hours, cost, secrets, guard };
  return {
    async inviteUser({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      rejectExpiringCreator(access.actor, 'users');
      const { user, ...invited } = await transaction((tx) => inviteUser(tx, access.chainId, params.user_id));
      return {
        status: 201,
        body: { ...userResponse(user), invitation: invitationResponse(links, invited) },
        headers: noStore,
      };
    },

    async revokeInvitation({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      const user = await transaction((tx) => revokeInvitation(tx, access.chainId, params.user_id));
      return { status: 200, body: userResponse(user) };
    },

    async readInvitation({ db, body, network, limit, closeSignal }) {
      await limit(`address ${network}`, readsPerAddress);
      const { chain_id, user, expires_at } = await guard.run(db, guessing, { network, signal: closeSignal() }, () =>
        getInvitation(db, body.token),
      );
      const { name: chain_name } = (await findChain(db, chain_id)) as ChainRow;
      const { email, name, has_second_factor: needs_code } = user;
      const response = { email, name, chain_name, expires_at: expires_at.toISOString(), needs_code };
      return { status: 200, body: response, headers: noStore };
    },

    async acceptInvitation({ db, body, headers, address, network, limit, closeSignal, addToLog }) {
      if (hasOriginHeaders(headers)) rejectCrossOrigin(headers, links);
      await limit(`address ${network}`, readsPerAddress);
      const origin = { address, device: describeDevice(headers['user-agent']) };
      const accepted = await guard.run(db, guessing, { network, signal: closeSignal() }, () =>
        acceptInvitation(db, body, terms, origin, (user) => {
          addToLog({ account: `user:${user.user_id}` });
          return passwords.rejectWeak(user.chain_id, body.password, user, '/password');
        }),
      );
      const { session, user, expiresAt } = accepted;
      const chain = (await findChain(db, user.chain_id)) as ChainRow;
      return {
        status: 201,
        body: sessionResponse(user, chain, expiresAt),
        headers: cookieHeaders(links.origin, session, hours * 3600, headers.host),
      };
    },
  };
}

const noStore = { 'cache-control': 'no-store' };
/** Several people in an office can accept their invitations at the same time. */
const readsPerAddress = 10;
/** Failures are counted by network only: a token that does not exist has no account. */
const guessing = 'invitation';
