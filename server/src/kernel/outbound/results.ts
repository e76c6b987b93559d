import { noTimings, type Timings } from './timings.ts';

export type OutboundResult = Responded | Failed;

type Responded = {
  kind: 'responded';
  status: number;
  headers: ResponseHeaders;
  beginning: Buffer;
  /** Whether the body is longer than `beginning`. */
  isCut: boolean;
  timings: Timings;
};
type Failed = { kind: 'failed'; reason: FailureReason; detail: string; timings: Timings };

export type FailureReason = 'timeout' | 'dns_failed' | 'address_refused' | 'tls_failed' | 'connection_failed';

export type ResponseHeaders = Record<string, string | string[] | undefined>;

export class RejectedAddressError extends Error {}
export class NameError extends Error {}

export function failureOf(error: Error & { code?: string }, timings?: Timings): Failed {
  // If a host name has several addresses, there is one error per address.
  const [first = error] = (error as AggregateError).errors ?? [];
  if (first instanceof RejectedAddressError) return rejected(first.message);
  if (first instanceof NameError) return failed('dns_failed', first.message, timings);
  const { code = '' } = first as { code?: string };
  return failed(tlsCodes.test(code) ? 'tls_failed' : 'connection_failed', first.message || code, timings);
}

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

/**
 * If an exchange failed during the TLS handshake, that is the reason, even if the endpoint closed the connection or did
 * not respond: its certificates may have been verified before that, which can take long.
 */
export function nameHandshake(origin: string, result: OutboundResult): OutboundResult {
  const { connectMs, tlsMs } = result.timings;
  const isHandshake = result.kind === 'failed' && origin.startsWith('https:') && connectMs !== null && tlsMs === null;
  return isHandshake ? { ...result, reason: 'tls_failed' } : result;
}

export function timedOut({ timeoutMs }: { timeoutMs: number }, timings: Timings): Failed {
  return failed('timeout', `no response within ${Math.round(timeoutMs)} ms`, timings);
}

export function rejected(detail: string): Failed {
  return failed('address_refused', detail);
}

export function failed(reason: FailureReason, detail: string, timings: Timings = noTimings): Failed {
  return { kind: 'failed', reason, detail, timings };
}
