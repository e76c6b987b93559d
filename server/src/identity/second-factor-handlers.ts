import type { platformRoutes } from '@aisle/contract/platform';
import type { secondFactorRoutes } from '@aisle/contract/second-factor';
import type { Database, Db, Tx } from '../kernel/database/db.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { resetSecondFactor } from './change-user.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { type Access, admitVendors, sessionOf } from './gate.ts';
import { type AttemptGuard, allNetworks, codeAccount } from './guard-attempts.ts';
import { type ChainRow, findChain } from './queries.ts';
import {
  confirmSecondFactor,
  describeFactor,
  disableSecondFactor,
  ownFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from './second-factor.ts';
import { checkPassword } from './sign-in.ts';
import { secondFactorUrl } from './totp.ts';
import { userResponse } from './user-response.ts';
import { findUser, type UserRow } from './user-queries.ts';

type Routes = typeof secondFactorRoutes & Pick<typeof platformRoutes, 'platformResetSecondFactor'>;
type Call = { db: Database; transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>; access: Access };

export function secondFactorHandlers(secrets: FactorSecrets, guard: AttemptGuard): Handlers<Routes, Access> {
  /** Checks the password, then runs `work`, which checks the code. A failure of either delays the next attempt. */
  const prove = <Result>(call: Call, password: string | undefined, work: (tx: Tx) => Promise<Result>) =>
    guard.count(call.db, codeAccount(call.access.actor.id), allNetworks, async () => {
      if (password !== undefined) await checkPassword(call.db, call.access.chainId, call.access.actor.id, password);
      return call.transaction(work);
    });
  return {
    async getSecondFactor({ db, access }) {
      return { status: 200, body: await factorResponse(db, access) };
    },

    async startSecondFactor(call) {
      const { access, body } = call;
      return prove(call, body.password, async (tx) => {
        const secret = await startSecondFactor(tx, secrets, userOf(access));
        const user = (await findUser(tx, access.chainId, access.actor.id)) as UserRow;
        const chain = (await findChain(tx, access.chainId)) as ChainRow;
        const url = secondFactorUrl(secret, user.email, chain.name);
        return { status: 201, body: { secret, url }, headers: noStore };
      });
    },

    async confirmSecondFactor(call) {
      const { access, body } = call;
      const { hash } = sessionOf(access);
      return prove(call, undefined, async (tx) => {
        const recovery_codes = await confirmSecondFactor(tx, secrets, userOf(access), body.code, hash);
        return { status: 200, body: { ...(await factorResponse(tx, access)), recovery_codes }, headers: noStore };
      });
    },

    async replaceRecoveryCodes(call) {
      const { access, body } = call;
      return prove(call, body.password, async (tx) => {
        const recovery_codes = await replaceRecoveryCodes(tx, secrets, userOf(access), body.code);
        return { status: 200, body: { ...(await factorResponse(tx, access)), recovery_codes }, headers: noStore };
      });
    },

    async disableSecondFactor(call) {
      const { access, body } = call;
      const { hash } = sessionOf(access);
      return prove(call, body.password, async (tx) => {
        await disableSecondFactor(tx, secrets, userOf(access), body.code, hash);
        return { status: 200, body: await factorResponse(tx, access) };
      });
    },

    async resetSecondFactor({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      if (access.actor.kind === 'user' && access.actor.id === params.user_id.toLowerCase())
        throw ownFactor('/v2/portal');
      const row = await transaction((tx) => resetSecondFactor(tx, access.chainId, params.user_id));
      return { status: 200, body: userResponse(row) };
    },

    async platformResetSecondFactor({ transaction, access, params }) {
      const row = await transaction((tx) => resetSecondFactor(tx, access.chainId, params.user_id));
      return { status: 200, body: userResponse(row) };
    },
  };
}

const noStore = { 'cache-control': 'no-store' };

function userOf({ chainId, actor }: Access) {
  return { chainId, userId: actor.id };
}

async function factorResponse(db: Db, access: Access) {
  const chain = (await findChain(db, access.chainId)) as ChainRow;
  const is_required = chain.require_second_factor_for_owners && sessionOf(access).role === 'OWNER';
  return { ...(await describeFactor(db, userOf(access))), is_required };
}
