import { type KeyObject, randomBytes } from 'node:crypto';
import { Failure } from '../kernel/failures/failure.ts';
import type { Sealer } from '../kernel/secrets/seal.ts';
import type { WebhookRow } from './queries.ts';
import { signingKey, signingSecret } from './rules/signature.ts';

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
  openSigning(row: SecretRow, now: Date): KeyObject[];
};

/** Without a key everything works but what needs one. */
export function createSecrets(sealer: Sealer | undefined): Secrets {
  const needed = (): Sealer => {
    if (!sealer) throw new Failure('secret_key_missing');
    return sealer;
  };
  // An endpoint is sent to many times in a row; to open its secrets each time would cost more than to sign.
  const texts = new Map<string, string>();
  const keys = new Map<string, KeyObject>();
  const openText = (sealed: Buffer, context: string) => remembered(texts, sealed, () => needed().open(sealed, context));
  const openKey = (sealed: Buffer, context: string) =>
    remembered(keys, sealed, () => signingKey(needed().open(sealed, context)));
  return {
    sealAuthorization: (webhookId, text) => needed().seal(text, `${webhookId} authorization`),
    sealSigning: (webhookId, text) => needed().seal(text, `${webhookId} signing`),
    openAuthorization: (row) =>
      row.secret_sealed === null ? undefined : openText(row.secret_sealed, `${row.webhook_id} authorization`),
    openSigning(row, now) {
      const isPreviousLive = row.previous_signing_until !== null && row.previous_signing_until > now;
      const sealed = [row.signing_sealed, isPreviousLive ? row.previous_signing_sealed : null];
      return sealed.flatMap((one) => (one === null ? [] : [openKey(one, `${row.webhook_id} signing`)]));
    },
  };
}

export function newSigningSecret(): string {
  return signingSecret(randomBytes(32));
}

const maxOpened = 10_000;

function remembered<Value>(known: Map<string, Value>, sealed: Buffer, open: () => Value): Value {
  const name = sealed.toString('latin1');
  const value = known.get(name) ?? open();
  if (known.size >= maxOpened) known.clear();
  known.set(name, value);
  return value;
}
