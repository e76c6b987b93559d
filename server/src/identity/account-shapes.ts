import type { Config } from '../config.ts';
import type { Db } from '../kernel/database/db.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import type { Access } from './gate.ts';
import type { AttemptGuard } from './guard-attempts.ts';
import { type ChainRow, findChain } from './queries.ts';
import { consoleSessionResponse, onBehalfResponse, sessionResponse } from './session-response.ts';
import type { UserRow } from './user-queries.ts';
import { platformUserResponse, userResponse } from './user-response.ts';
import type { PasswordCheck } from './weak-password.ts';

/** What the account handlers of a site need. */
export type AccountParts = { config: Config; secrets: FactorSecrets; guard: AttemptGuard; passwords: PasswordCheck };

/** What a site shows about a session and its user. `access` is absent while the user signs in. */
export type Shapes<Session, User> = {
  session(db: Db, user: UserRow, expiresAt: Date, access?: Access): Promise<Session>;
  user(row: UserRow): User;
};

export const portalShapes = {
  async session(db: Db, user: UserRow, expiresAt: Date, access?: Access) {
    const chain = (await findChain(db, access?.chainId ?? user.chain_id)) as ChainRow;
    const isOnBehalf = access?.actor.session != null && access.actor.session.onBehalf !== null;
    return isOnBehalf ? onBehalfResponse(user, chain, expiresAt) : sessionResponse(user, chain, expiresAt);
  },
  user: userResponse,
};

export const consoleShapes = {
  session: async (_db: Db, user: UserRow, expiresAt: Date) => consoleSessionResponse(user, expiresAt),
  user: platformUserResponse,
};
