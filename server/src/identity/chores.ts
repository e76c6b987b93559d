import type { Config } from '../config.ts';
import { deleteOldKeys } from '../kernel/http/idempotency.ts';
import { deleteOldWindows } from '../kernel/http/rate-limit.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldFailures } from './attempt-queries.ts';
import { deleteExpiredAccessTokens } from './credential-queries.ts';
import { deleteOldInvitations } from './invitation-queries.ts';
import { deleteEndedSessions } from './session-queries.ts';
import { deleteEndedSupportSessions } from './support-queries.ts';

export function identityChores(config: Config): Chore[] {
  return [
    {
      name: 'forget expired access tokens, sessions, idempotency keys and rate windows',
      everySeconds: 600,
      async run(tx) {
        const tokens = await deleteExpiredAccessTokens(tx);
        const ended = await deleteEndedSessions(tx, config.limits.sessionIdleMinutes);
        const sessions = ended + (await deleteEndedSupportSessions(tx));
        const keys = await deleteOldKeys(tx, config.limits.idempotencyHours);
        const windows = await deleteOldWindows(tx);
        return `${tokens} access tokens, ${sessions} sessions, ${keys} idempotency keys, ${windows} rate windows`;
      },
    },
    {
      name: 'forget failed sign-ins',
      everySeconds: 600,
      run: async (tx) => `${await deleteOldFailures(tx)} accounts and addresses`,
    },
    {
      name: 'forget expired invitations',
      everySeconds: 3600,
      run: async (tx) => `${await deleteOldInvitations(tx)} invitations`,
    },
  ];
}
