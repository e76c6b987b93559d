import type { platformRoutes } from '@aisle/contract/platform';
import type { userRoutes } from '@aisle/contract/users';
import type { Config } from '../config.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { pageOf, paged, type PageRequest } from '../kernel/http/page.ts';
import { changeUser, existingUser, removeUser, resetPassword } from './change-user.ts';
import { addUser, type NewUser, type UserInput } from './create-user.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { type Access, admitVendors, rejectCrossOrigin, sessionOf } from './gate.ts';
import { type AttemptGuard, emailAccount } from './guard-attempts.ts';
import { makeSecretForEmail, makeSecretForUser } from './new-secret.ts';
import { hashPassword, saltOf } from './passwords.ts';
import { type ChainRow, findChain } from './queries.ts';
import { describeDevice } from './rules/device.ts';
import { rejectExpiringCreator } from './rules/own-access.ts';
import { hasOriginHeaders } from './rules/session-cookie.ts';
import { cookieHeaders, sessionResponse } from './session-response.ts';
import { deleteSessionByHash } from './session-queries.ts';
import { changePassword, checkPassword, signIn } from './sign-in.ts';
import { countUsers, findUser, listUsers } from './user-queries.ts';
import { invitationResponse, userResponse } from './user-response.ts';
import type { PasswordCheck } from './weak-password.ts';

type Routes = typeof userRoutes & Pick<typeof platformRoutes, 'platformCreateUser' | 'platformListUsers'>;

/** A user can have access to every vendor in the chain, so a caller limited to some vendors cannot manage users. */
export function userHandlers(
  config: Config,
  secrets: FactorSecrets,
  guard: AttemptGuard,
  passwords: PasswordCheck,
): Handlers<Routes, Access> {
  const cost = config.passwordCost;
  const hours = config.limits.sessionHours;
  const terms = { hours, cost, secrets, guard };
  const create = async ({ db, transaction }: Store, chainId: string, input: CreateInput) => {
    rejectPasswordAndInvitation(input);
    if (input.password !== undefined) await passwords.rejectWeak(chainId, input.password, input, '/password');
    const secret = await makeSecretForEmail(db, chainId, input, cost);
    return transaction(async (tx) => newUserResponse(config.links, await addUser(tx, chainId, input, secret)));
  };
  return {
    async listUsers({ db, access, query }) {
      admitVendors(access.actor, '*');
      return { status: 200, body: await listPage(db, access, pageOf(query)) };
    },

    async createUser({ db, transaction, access, body }) {
      admitVendors(access.actor, '*');
      rejectExpiringCreator(access.actor, 'users');
      return { status: 201, body: await create({ db, transaction }, access.chainId, body) };
    },

    async updateUser({ transaction, access, params, body }) {
      admitVendors(access.actor, '*');
      if (body.role !== undefined || body.vendor_ids !== undefined) rejectExpiringCreator(access.actor, 'users');
      const row = await transaction((tx) => changeUser(tx, access.chainId, params.user_id, body));
      return { status: 200, body: userResponse(row) };
    },

    async resetPassword({ db, transaction, access, params }) {
      admitVendors(access.actor, '*');
      rejectExpiringCreator(access.actor, 'users');
      const secret = await makeSecretForUser(db, access.chainId, params.user_id, cost);
      const user = await transaction((tx) => resetPassword(tx, access.chainId, params.user_id, secret));
      return { status: 200, body: newUserResponse(config.links, { user, ...secret }) };
    },

    async deleteUser({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      const row = await transaction((tx) => removeUser(tx, access.chainId, params.user_id));
      return { status: 200, body: userResponse(row) };
    },

    async platformCreateUser({ db, transaction, access, body }) {
      return { status: 201, body: await create({ db, transaction }, access.chainId, body) };
    },

    async platformListUsers({ db, access, query }) {
      return { status: 200, body: await listPage(db, access, pageOf(query)) };
    },

    async signIn({ db, body, headers, address, network, limit, closeSignal, addToLog }) {
      // A page on another origin must not sign the browser in as another user. Only browsers send origin headers.
      if (hasOriginHeaders(headers)) rejectCrossOrigin(headers, config.links);
      const account = emailAccount(body.email);
      await limit(`address ${network}`, accountsPerAddress);
      await limit(`${account} from ${network}`);
      const { session, user, expiresAt } = await guard.run(db, account, { network, signal: closeSignal() }, () =>
        signIn(db, body, terms, { address, device: describeDevice(headers['user-agent']) }, ({ user_id }) =>
          addToLog({ account: `user:${user_id}` }),
        ),
      );
      const chain = (await findChain(db, user.chain_id)) as ChainRow;
      return {
        status: 201,
        body: sessionResponse(user, chain, expiresAt),
        headers: cookieHeaders(config.links.origin, session, hours * 3600, headers.host),
      };
    },

    async getSession({ db, access }) {
      return { status: 200, body: await readSession(db, access), headers: { 'cache-control': 'no-store' } };
    },

    async signOut({ db, transaction, access, headers }) {
      const body = await readSession(db, access);
      await transaction((tx) => deleteSessionByHash(tx, access.chainId, sessionOf(access).hash));
      return { status: 200, body, headers: cookieHeaders(config.links.origin, '', 0, headers.host) };
    },

    async changePassword({ db, transaction, access, body }) {
      const { chainId, actor } = access;
      // Checked first, so that only the user can start the slow check of the new password.
      const checked = await checkPassword(db, chainId, actor.id, body.current_password, 'current password');
      if (body.new_password === body.current_password) throw samePassword();
      const user = existingUser(actor.id, await findUser(db, chainId, actor.id));
      await passwords.rejectWeak(chainId, body.new_password, user, '/new_password');
      const hash = await hashPassword(body.new_password, cost, { salt: saltOf(checked), turn: chainId });
      const row = await transaction((tx) =>
        changePassword(tx, chainId, actor.id, { checked, hash }, sessionOf(access).hash),
      );
      return { status: 200, body: userResponse(row) };
    },
  };
}

type Store = { db: Db; transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result> };
type CreateInput = UserInput & { invite?: boolean; must_change_password?: boolean };

function rejectPasswordAndInvitation({ invite, password }: CreateInput): void {
  if (!invite || password === undefined) return;
  const message = 'cannot be combined with a password: with an invitation, the user sets the password';
  throw invalid([{ pointer: '/invite', code: 'not_allowed', message }]);
}

/** Another person can know the current password. */
function samePassword(): Failure {
  const message = 'must be different from the current password';
  return invalid([{ pointer: '/new_password', code: 'not_allowed', message }]);
}

/** How many accounts can use up their sign-in limit from the same address, such as an office's, at the same time. */
const accountsPerAddress = 10;

async function listPage(db: Db, access: Access, page: PageRequest) {
  const rows = await listUsers(db, access.chainId, page);
  const total = rows[0]?.total ?? (await countUsers(db, access.chainId));
  return paged('users', rows.map(userResponse), total, page);
}

async function readSession(db: Db, access: Access) {
  const user = await findUser(db, access.chainId, access.actor.id);
  const chain = (await findChain(db, access.chainId)) as ChainRow;
  if (!user) throw new Failure('invalid_token');
  return sessionResponse(user, chain, sessionOf(access).expiresAt);
}

function newUserResponse(links: Config['links'], { user, password, invited }: NewUser) {
  return {
    ...userResponse(user),
    ...(password !== undefined && { password }),
    ...(invited && { invitation: invitationResponse(links, invited) }),
  };
}
