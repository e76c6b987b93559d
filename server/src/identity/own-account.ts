import type { userRoutes } from '@aisle/contract/users';
import { describeValue } from '@aisle/contract/value-faults';
import type { Db } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import type { Call } from '../kernel/http/call.ts';
import type { AccountParts, Shapes } from './account-shapes.ts';
import { rejectCrossOrigin } from './cross-origin.ts';
import { type Access, sessionOf } from './gate.ts';
import { emailAccount } from './guard-attempts.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { describeDevice } from './rules/device.ts';
import { platformId, type Site } from './rules/platform.ts';
import { hasOriginHeaders } from './rules/session-cookie.ts';
import { cookieHeaders } from './session-response.ts';
import { deleteSessionByHash } from './session-queries.ts';
import { changePassword, checkPassword, signIn } from './sign-in.ts';
import { deleteSupportSession } from './support-queries.ts';
import { findUser } from './user-queries.ts';

type Routes = typeof userRoutes;

/** The handlers for the user's own account, which the portal and the console share. */
export function ownAccount<Session, User>(
  { config, secrets, guard, passwords }: AccountParts,
  site: Site,
  shapes: Shapes<Session, User>,
) {
  const cost = config.passwordCost;
  const hours = config.limits.sessionHours;
  const terms = { site, hours, cost, secrets, guard };
  const readSession = async (db: Db, access: Access) => {
    const { actor } = access;
    const { expiresAt, onBehalf } = sessionOf(access);
    const user = await findUser(db, onBehalf === null ? access.chainId : platformId, actor.id);
    if (!user) throw new Failure('invalid_token');
    return shapes.session(db, user, expiresAt, access);
  };
  return {
    async signIn(call: Call<Routes['signIn'], Access>) {
      const { db, transaction, body, headers, address, network, limit, closeSignal, addToLog } = call;
      // A page on another origin must not sign the browser in as another user. Only browsers send origin headers.
      if (hasOriginHeaders(headers)) rejectCrossOrigin(headers, config.links);
      const account = emailAccount(body.email, site);
      await limit(`address ${network}`, accountsPerAddress);
      await limit(`${account} from ${network}`);
      const origin = { address, device: describeDevice(headers['user-agent']) };
      const { session, user, expiresAt } = await guard.run(db, account, { network, signal: closeSignal() }, () =>
        signIn({ db, transaction }, body, terms, origin, ({ user_id }) => addToLog({ account: `user:${user_id}` })),
      );
      const cookie = cookieHeaders(config.links.origin, session, hours * 3600, headers.host, site);
      return { status: 201 as const, body: await shapes.session(db, user, expiresAt), headers: cookie };
    },

    async getSession({ db, access }: Call<Routes['getSession'], Access>) {
      const headers = { 'cache-control': 'no-store' };
      return { status: 200 as const, body: await readSession(db, access), headers };
    },

    async signOut({ db, transaction, access, headers }: Call<Routes['signOut'], Access>) {
      const body = await readSession(db, access);
      const { hash, onBehalf } = sessionOf(access);
      const end = onBehalf === null ? deleteSessionByHash : deleteSupportSession;
      await transaction((tx) => end(tx, access.chainId, hash));
      return { status: 200 as const, body, headers: cookieHeaders(config.links.origin, '', 0, headers.host, site) };
    },

    async changePassword({ db, transaction, access, body }: Call<Routes['changePassword'], Access>) {
      const { chainId, actor } = access;
      // Checked first, so that only the user can start the slow check of the new password.
      const checked = await checkPassword(db, chainId, actor.id, body.current_password, 'current password');
      if (body.new_password === body.current_password) throw samePassword();
      const user = await findUser(db, chainId, actor.id);
      if (!user) throw new Failure('invalid_token');
      await passwords.rejectWeak(chainId, body.new_password, user, '/new_password');
      const hash = await hashPassword(body.new_password, cost, { salt: saltOf(checked), turn: chainId });
      const row = await transaction((tx) =>
        changePassword(tx, chainId, actor.id, { checked, hash }, sessionOf(access).hash),
      );
      return { status: 200 as const, body: shapes.user(row) };
    },
  };
}

/** Another person can know the current password. */
function samePassword(): Failure {
  const message = describeValue('same_password');
  return invalid([{ pointer: '/new_password', code: 'not_allowed', message }]);
}

/** How many accounts can use up their sign-in limit from the same address, such as an office's, at the same time. */
const accountsPerAddress = 10;
