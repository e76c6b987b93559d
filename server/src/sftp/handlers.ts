import type { sftpRoutes } from '@aisle/contract/sftp';
import { sftpScopes } from '@aisle/contract/sftp';
import type { Config } from '../config.ts';
import {
  type Access,
  type Actor,
  admitVendors,
  decideScopes,
  makeSecret,
  rejectExpiringCreator,
} from '../identity/index.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf, type PageRequest } from '../kernel/http/page.ts';
import { addKey, changeUser, getUser, removeKey, removeUser, resetPassword } from './change-user.ts';
import { createUser, type NewSftpUser } from './create-user.ts';
import { listHostKeys, listUsers, type SftpUserRow } from './queries.ts';

/** A token that is limited to some vendors sees and manages only users that are limited to these vendors. */
export function sftpHandlers({ passwordCost: cost, limits }: Config): Handlers<typeof sftpRoutes, Access> {
  return {
    async getSftpServer({ db }) {
      const keys = await listHostKeys(db);
      const [first] = keys;
      const hostKeys = keys.map(({ type, fingerprint }) => ({ type, fingerprint }));
      const { host = null, port = null } = first ?? {};
      return { status: 200, body: { enabled: first !== undefined, host, port, host_keys: hostKeys } };
    },

    async listSftpUsers({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listUsers(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      return { status: 200, body: paged('sftp_users', rows.map(userResponse), total, page) };
    },

    async createSftpUser({ transaction, access: { chainId, actor }, body }) {
      rejectExpiringCreator(actor, 'SFTP users');
      const scopes = decideScopes(actor, body.scopes ?? sftpScopes.filter((scope) => actor.scopes.includes(scope)));
      const secret = body.password_login === false ? undefined : await makeSecret(chainId, cost);
      const row = await transaction(async (tx) => {
        const created = await createUser(tx, chainId, { ...body, scopes }, { maxUsers: limits.sftpUsers, secret });
        // A failure rolls back the insert.
        admitVendors(actor, created.vendor_ids ?? '*');
        return created;
      });
      return { status: 201, body: newUserResponse(row) };
    },

    async getSftpUser({ db, access, params }) {
      const row = await getUser(db, access.chainId, access.actor.vendorIds, params.sftp_user_id);
      return { status: 200, body: userResponse(row) };
    },

    async updateSftpUser({ transaction, access: { chainId, actor }, params, body }) {
      const admit = admission(actor);
      const row = await transaction((tx) => changeUser(tx, chainId, actor.vendorIds, params.sftp_user_id, body, admit));
      return { status: 200, body: userResponse(row) };
    },

    async deleteSftpUser({ transaction, access: { chainId, actor }, params }) {
      const row = await transaction((tx) => removeUser(tx, chainId, actor.vendorIds, params.sftp_user_id));
      return { status: 200, body: userResponse(row) };
    },

    async resetSftpPassword({ db, transaction, access: { chainId, actor }, params }) {
      const admit = admission(actor);
      admit(await getUser(db, chainId, actor.vendorIds, params.sftp_user_id));
      const secret = await makeSecret(chainId, cost);
      const row = await transaction((tx) =>
        resetPassword(tx, chainId, actor.vendorIds, params.sftp_user_id, secret, admit),
      );
      return { status: 200, body: newUserResponse({ ...row, ...secret }) };
    },

    async addSftpPublicKey({ transaction, access: { chainId, actor }, params, body }) {
      const admit = admission(actor);
      const row = await transaction((tx) =>
        addKey(tx, chainId, actor.vendorIds, params.sftp_user_id, body.public_key, admit),
      );
      return { status: 201, body: userResponse(row) };
    },

    async deleteSftpPublicKey({ transaction, access: { chainId, actor }, params }) {
      const row = await transaction((tx) =>
        removeKey(tx, chainId, actor.vendorIds, params.sftp_user_id, params.key_id),
      );
      return { status: 200, body: userResponse(row) };
    },
  };
}

/** Returns a check that fails if the user has more access than the caller, who could log in as the user. */
function admission(actor: Actor): (user: SftpUserRow) => void {
  rejectExpiringCreator(actor, 'SFTP users');
  return (user) => {
    decideScopes(actor, scopesOf(user));
    admitVendors(actor, user.vendor_ids ?? '*');
  };
}

function newUserResponse(row: NewSftpUser) {
  return { ...userResponse(row), ...(row.password !== undefined && { password: row.password }) };
}

function userResponse(row: SftpUserRow) {
  return {
    sftp_user_id: row.sftp_user_id,
    name: row.name,
    username: row.username,
    password_login: row.has_password,
    public_keys: row.public_keys.map((key) => ({ ...key, created_at: new Date(key.created_at).toISOString() })),
    scopes: scopesOf(row),
    vendor_ids: row.vendor_ids,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  };
}

function scopesOf({ scopes }: SftpUserRow) {
  return sftpScopes.filter((scope) => scopes.includes(scope));
}
