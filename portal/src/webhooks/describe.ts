import type { ResponseBody } from '../api/operations.ts';
import { formatNumber } from '../kit/format.ts';

type Attempt = Pick<ResponseBody<'getDelivery'>['attempts'][number], 'outcome' | 'http_status' | 'duration_ms'>;
type Health = Pick<ResponseBody<'getWebhook'>, 'status' | 'failing_since' | 'catalog_status' | 'catalog_failing_since'>;

/** What the last attempt says about the receiver, as a sentence. */
export function describeAttempt({ outcome, http_status: status, duration_ms: ms }: Attempt): string {
  switch (outcome) {
    case 'success':
      return `Your endpoint returned ${status} after ${formatNumber(ms)} ms.`;
    case 'http_error':
      return `Your endpoint returned ${status}.`;
    case 'gone':
      return 'Your endpoint returned 410, which disables the webhook.';
    case 'redirect':
      return `Your endpoint returned ${status}. Redirects are not followed.`;
    case 'timeout':
      return 'Your endpoint did not respond within 10 seconds.';
    case 'dns_failed':
      return 'The host name of the URL could not be resolved.';
    case 'address_refused':
      return 'The host name of the URL resolves to an address that is not allowed.';
    case 'tls_failed':
      return 'The TLS handshake failed. Check the certificate.';
    case 'connection_failed':
      return 'Could not connect. Check that a server is listening at this URL.';
  }
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
