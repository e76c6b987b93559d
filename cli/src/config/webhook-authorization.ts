import type { Terminal } from '../terminal/terminal.ts';

/** The value of the Authorization header of webhooks. Not an option: other users can see the arguments of a program. */
export function webhookAuthorization({ env }: Terminal): string | undefined {
  return env['AISLE_WEBHOOK_AUTHORIZATION'] || undefined;
}
