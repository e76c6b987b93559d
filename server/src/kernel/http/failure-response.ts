import { STATUS_CODES } from 'node:http';
import { oauthErrors } from '@aisle/contract/errors';
import { Failure, problemOf } from '../failures/failure.ts';
import type { StoredResponse } from './idempotency.ts';
import { newId } from '../values/ids.ts';
import type { Log } from '../monitoring/log.ts';

/** A failure as a response (RFC 9457). */
export function storedFailure(failure: Failure, id: string): StoredResponse {
  const headers = { 'content-type': problemType, ...failure.headers };
  return { status: failure.status, headers, body: JSON.stringify(problemOf(failure, id)) };
}

/** A failure in the format OAuth clients expect (RFC 6749, 5.2), with the same fields as our other failures. */
export function oauthFailure(failure: Failure, id: string): StoredResponse {
  const headers = { 'content-type': jsonType, ...failure.headers };
  const body = JSON.stringify({ ...oauthFields(failure), ...problemOf(failure, id) });
  return { status: failure.status, headers, body };
}

/** The text of a response that is written to the connection directly, because Fastify has no request to respond to. */
export function lastResponse(failure: Failure): string {
  const id = newId();
  const { status, headers, body } = storedFailure(failure, id);
  const fields = { ...headers, 'x-request-id': id, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** Converts any error to a failure for the client. The details of an unexpected error are only logged. */
export function asFailure(error: unknown, log: Log, id: string): Failure {
  if (error instanceof Failure) {
    if (error.status >= 500) log.error({ event: 'request.failed', request_id: id, err: error.cause ?? error });
    return error;
  }
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode === 415) {
    const detail =
      'Content-Type must be a valid media type, such as application/json or application/json; charset=utf-8.';
    return new Failure('unsupported_media_type', detail);
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Failure('invalid_request', `The request is not valid: ${message}.`);
  }
  log.error({ event: 'request.failed', request_id: id, err: error });
  return new Failure('internal_error');
}

/** OAuth allows only ASCII without quotes and backslashes in descriptions. */
function oauthFields(failure: Failure): Record<string, string> {
  const fallback = failure.status >= 500 ? 'server_error' : 'invalid_request';
  return {
    error: oauthErrors[failure.code] ?? fallback,
    error_description: failure.message.replace(/[^\x20-\x7e]|["\\]/g, '?'),
  };
}

const jsonType = 'application/json; charset=utf-8';
const problemType = 'application/problem+json; charset=utf-8';
