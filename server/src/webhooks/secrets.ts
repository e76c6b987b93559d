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
  return {
    sealAuthorization: (webhookId, text) => needed().seal(text, `${webhookId} authorization`),
    sealSigning: (webhookId, text) => needed().seal(text, `${webhookId} signing`),
    openAuthorization: (row) =>
      row.secret_sealed === null ? undefined : needed().open(row.secret_sealed, `${row.webhook_id} authorization`),
    openSigning(row, now) {
      const isPreviousLive = row.previous_signing_until !== null && row.previous_signing_until > now;
      const sealed = [row.signing_sealed, isPreviousLive ? row.previous_signing_sealed : null];
      return sealed.flatMap((one) => (one === null ? [] : [needed().open(one, `${row.webhook_id} signing`)]));
    },
  };
}
