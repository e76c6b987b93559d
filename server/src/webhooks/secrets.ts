import { Failure } from '../kernel/failure.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { WebhookRow } from './queries.ts';

type SecretRow = Pick<
  WebhookRow,
  'webhook_id' | 'secret_sealed' | 'signing_sealed' | 'previous_signing_sealed' | 'previous_signing_until'
>;

/** What a webhook keeps to itself: sealed for it alone, opened only to send. */
export type Secrets = {
  sealAuthorization(webhookId: string, text: string): Buffer;
  sealSigning(webhookId: string, text: string): Buffer;
  openAuthorization(row: SecretRow): string | undefined;
  /** The present one first; the previous one for as long as it lives. */
  openSigning(row: SecretRow, now: Date): string[];
};

/** Without a key everything works but what needs one. */
export function createSecrets(sealer: Sealer | undefined): Secrets {
  const needed = (): Sealer => {
    if (!sealer) throw new Failure('secret_key_missing');
    return sealer;
  };
  // An endpoint is sent to many times in a row; to open its secrets each time would cost more than to sign.
  const opened = new Map<string, string>();
  const open = (sealed: Buffer, context: string): string => {
    const name = sealed.toString('latin1');
    const text = opened.get(name) ?? needed().open(sealed, context);
    if (opened.size >= mostOpened) opened.clear();
    opened.set(name, text);
    return text;
  };
  return {
    sealAuthorization: (webhookId, text) => needed().seal(text, `${webhookId} authorization`),
    sealSigning: (webhookId, text) => needed().seal(text, `${webhookId} signing`),
    openAuthorization: (row) =>
      row.secret_sealed === null ? undefined : open(row.secret_sealed, `${row.webhook_id} authorization`),
    openSigning(row, now) {
      const isPreviousLive = row.previous_signing_until !== null && row.previous_signing_until > now;
      const sealed = [row.signing_sealed, isPreviousLive ? row.previous_signing_sealed : null];
      return sealed.flatMap((one) => (one === null ? [] : [open(one, `${row.webhook_id} signing`)]));
    },
  };
}

const mostOpened = 10_000;
