import type { ResponseBody } from '../api/operations.ts';
import { formatNumber } from '../kit/format.ts';

type Attempt = Pick<ResponseBody<'getDelivery'>['attempts'][number], 'outcome' | 'http_status' | 'duration_ms'>;
type Health = Pick<ResponseBody<'getWebhook'>, 'status' | 'failing_since' | 'catalog_status' | 'catalog_failing_since'>;

/** What an attempt says about the receiver, as a sentence. */
export function describeAttempt(attempt: Attempt): string {
  return sentences[attempt.outcome](attempt);
}

const sentences: Record<Attempt['outcome'], (attempt: Attempt) => string> = {
  success: ({ http_status, duration_ms }) =>
    `Your endpoint returned ${http_status} after ${formatNumber(duration_ms)} ms.`,
  http_error: ({ http_status }) => `Your endpoint returned ${http_status}.`,
  gone: () => 'Your endpoint returned 410, which disables the webhook.',
  redirect: ({ http_status }) => `Your endpoint returned ${http_status}. Redirects are not followed.`,
  timeout: () => 'Your endpoint did not respond within 10 seconds.',
  dns_failed: () => 'The host name of the URL could not be resolved.',
  address_refused: () => 'The host name of the URL resolves to an address that is not allowed.',
  tls_failed: () => 'The TLS handshake failed. Check the certificate.',
  connection_failed: () => 'Could not connect. Check that a server is listening at this URL.',
};

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
