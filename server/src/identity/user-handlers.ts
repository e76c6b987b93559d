import type { platformRoutes } from '@aisle/contract/platform';
import type { userRoutes } from '@aisle/contract/users';
import type { Config } from '../config.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { pageOf, paged, type PageRequest } from '../kernel/http/page.ts';
import { changeUser, removeUser, resetPassword } from './change-user.ts';
import { addUser, type NewUser, type UserInput } from './create-user.ts';
import { type Access, admitVendors } from './gate.ts';
import { makeSecretForEmail, makeSecretForUser } from './new-secret.ts';
import { rejectExpiringCreator } from './rules/own-access.ts';
import { countUsers, listUsers } from './user-queries.ts';
import { invitationResponse, userResponse } from './user-response.ts';
import type { PasswordCheck } from './weak-password.ts';

type Routes = Pick<typeof userRoutes, 'listUsers' | 'createUser' | 'updateUser' | 'resetPassword' | 'deleteUser'> &
  Pick<typeof platformRoutes, 'platformCreateUser' | 'platformListUsers'>;

/** A user can have access to every vendor in the chain, so a caller limited to some vendors cannot manage users. */
export function userHandlers(config: Config, passwords: PasswordCheck): Handlers<Routes, Access> {
  const cost = config.passwordCost;
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
  };
}

type Store = { db: Db; transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result> };
type CreateInput = UserInput & { invite?: boolean; must_change_password?: boolean };

function rejectPasswordAndInvitation({ invite, password }: CreateInput): void {
  if (!invite || password === undefined) return;
  const message = 'cannot be combined with a password: with an invitation, the user sets the password';
  throw invalid([{ pointer: '/invite', code: 'not_allowed', message }]);
}

async function listPage(db: Db, access: Access, page: PageRequest) {
  const rows = await listUsers(db, access.chainId, page);
  const total = rows[0]?.total ?? (await countUsers(db, access.chainId));
  return paged('users', rows.map(userResponse), total, page);
}

function newUserResponse(links: Config['links'], { user, password, invited }: NewUser) {
  return {
    ...userResponse(user),
    ...(password !== undefined && { password }),
    ...(invited && { invitation: invitationResponse(links.portal, invited) }),
  };
}
