import type { InputError, ProblemDetails } from '@aisle/contract/common';
import { type ErrorCode, errors } from '@aisle/contract/errors';

/** A failure that is reported to the client with a code from the contract, a sentence and optional details. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: InputError[] | undefined;
  readonly extra: ExtraDetails;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, detail?: string, more: FailureDetails = {}) {
    super(detail ?? `${errors[code].title}.`);
    this.code = code;
    this.status = errors[code].status;
    this.errors = more.errors;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }
}

/** The caller's credential is no longer valid because its time is over, not because somebody has revoked it. */
export class Expired extends Failure {}

/** `error` is the OAuth error code. */
type ExtraDetails = ProblemDetails & { error?: string };

type FailureDetails = {
  errors?: InputError[];
  extra?: ExtraDetails;
  headers?: Record<string, string>;
};

/** Pointers and messages can contain text from the request, so they are truncated. */
export function invalid(errors: InputError[], code: ErrorCode = 'invalid_request'): Failure {
  const found = errors.map(({ pointer, message, ...rest }) => ({
    pointer: truncate(pointer, 200),
    ...rest,
    message: truncate(message, 1000),
  }));
  const first = found[0];
  const where = first?.pointer ? `${first.pointer}: ` : '';
  const rest = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  return new Failure(code, first ? `${where}${first.message}${rest}` : undefined, { errors: found });
}

function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

type NotFoundCode = Extract<ErrorCode, `${string}_not_found`>;

/** A 404 that includes the id. The message is the same for an unknown id and for one that the caller cannot access. */
export function notFound(code: NotFoundCode, id: string, owner: string | null = 'this chain'): Failure {
  const noun = code.replace('_not_found', '').replaceAll('_', ' ');
  return new Failure(code, `There is no ${noun} ${id}${owner === null ? '' : ` in ${owner}`}.`);
}

/** The response body, an RFC 9457 problem document with our error code. */
export function problemOf(failure: Failure, requestId: string): Record<string, unknown> {
  return {
    type: `/docs/errors#${failure.code}`,
    title: errors[failure.code].title,
    status: failure.status,
    detail: failure.message,
    instance: requestId,
    code: failure.code,
    message: failure.message,
    ...(failure.errors && { errors: failure.errors }),
    ...failure.extra,
  };
}
