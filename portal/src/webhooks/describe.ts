import type { ResponseBody } from '../api/operations.ts';
import type { Translate } from '../messages/catalogue.ts';
import { formatMilliseconds } from '../kit/format.ts';

type Attempt = Pick<ResponseBody<'getDelivery'>['attempts'][number], 'outcome' | 'http_status' | 'duration_ms'>;
type Health = Pick<ResponseBody<'getWebhook'>, 'status' | 'failing_since' | 'catalog_status' | 'catalog_failing_since'>;

/** What an attempt says about the receiver, as a sentence. */
export function describeAttempt(t: Translate, { outcome, http_status, duration_ms }: Attempt): string {
  const status = String(http_status);
  if (outcome === 'success') return t('attempt.success', { status, duration: formatMilliseconds(duration_ms) });
  if (outcome === 'http_error' || outcome === 'redirect') return t(`attempt.${outcome}`, { status });
  return t(`attempt.${outcome}`);
}

/** The state of a webhook as a whole. It is failing as soon as one of its two URLs fails. */
export function webhookState(webhook: Health): 'DISABLED' | 'FAILING' | 'ENABLED' {
  if (webhook.status === 'DISABLED') return 'DISABLED';
  return failingSince(webhook) === null ? 'ENABLED' : 'FAILING';
}

/** Since when messages to an enabled URL of the webhook have been failing, or null. */
export function failingSince(webhook: Health): string | null {
  const times = [
    webhook.status === 'ENABLED' ? webhook.failing_since : null,
    webhook.catalog_status === 'ENABLED' ? webhook.catalog_failing_since : null,
  ];
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}
