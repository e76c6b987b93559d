import type { invitationRoutes } from '@aisle/contract/invitations';
import type { Call } from '../kernel/http/call.ts';
import type { AccountParts, Shapes } from './account-shapes.ts';
import { rejectCrossOrigin } from './cross-origin.ts';
import type { Access } from './gate.ts';
import { acceptInvitation, getInvitation } from './invitations.ts';
import { type ChainRow, findChain } from './queries.ts';
import { describeDevice } from './rules/device.ts';
import type { Site } from './rules/platform.ts';
import { hasOriginHeaders } from './rules/session-cookie.ts';
import { cookieHeaders } from './session-response.ts';

type Routes = typeof invitationRoutes;

/** The handlers with which an invited person sets a password, which the portal and the console share. */
export function ownInvitation<Session, User>(
  { config, secrets, guard, passwords }: AccountParts,
  site: Site,
  shapes: Shapes<Session, User>,
) {
  const { links, limits, passwordCost: cost } = config;
  const hours = limits.sessionHours;
  const terms = { site, hours, cost, secrets, guard };
  return {
    async readInvitation({ db, body, network, limit, closeSignal }: Call<Routes['readInvitation'], Access>) {
      await limit(`address ${network}`, readsPerAddress);
      const { chain_id, user, expires_at } = await guard.run(db, guessing, { network, signal: closeSignal() }, () =>
        getInvitation(db, body.token, site),
      );
      const { name: chain_name } = (await findChain(db, chain_id)) as ChainRow;
      const { email, name, has_second_factor: needs_code } = user;
      const response = { email, name, chain_name, expires_at: expires_at.toISOString(), needs_code };
      return { status: 200 as const, body: response, headers: { 'cache-control': 'no-store' } };
    },

    async acceptInvitation(call: Call<Routes['acceptInvitation'], Access>) {
      const { db, transaction, body, headers, address, network, limit, closeSignal, addToLog } = call;
      if (hasOriginHeaders(headers)) rejectCrossOrigin(headers, links);
      await limit(`address ${network}`, readsPerAddress);
      const origin = { address, device: describeDevice(headers['user-agent']) };
      const { session, user, expiresAt } = await guard.run(db, guessing, { network, signal: closeSignal() }, () =>
        acceptInvitation({ db, transaction }, body, terms, origin, (invited) => {
          addToLog({ account: `user:${invited.user_id}` });
          return passwords.rejectWeak(invited.chain_id, body.password, invited, '/password');
        }),
      );
      const cookie = cookieHeaders(links.origin, session, hours * 3600, headers.host, site);
      return { status: 201 as const, body: await shapes.session(db, user, expiresAt), headers: cookie };
    },
  };
}

/** Several people in an office can accept their invitations at the same time. */
const readsPerAddress = 10;
/** Failures are counted by network only: a token that does not exist has no account. */
const guessing = 'invitation';
