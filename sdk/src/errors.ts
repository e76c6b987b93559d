import type { CatalogJob, ErrorCode, Problem, PromotionJob } from './generated/models.ts';

/** Every error that the SDK throws, apart from the reason of an aborted `signal`. */
export class AisleError extends Error {
  override name = 'AisleError';
}

/** The API returned an error. `problem.code` says which one, and determines the other fields of `problem`. */
export class ApiError<P extends Problem = Problem> extends AisleError {
  override name = 'ApiError';
  readonly problem: P;
  readonly status: number;
  readonly headers: Headers;

  constructor(problem: P, status: number, headers: Headers) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
    this.status = status;
    this.headers = headers;
  }

  get code(): P['code'] {
    return this.problem.code;
  }

  /** The id to quote when you report a problem. */
  get requestId(): string {
    const { instance } = this.problem as { instance?: unknown };
    return typeof instance === 'string' ? instance : (this.headers.get('x-request-id') ?? '');
  }
}

/** The response was not from the API, for example from a proxy. */
export class UnexpectedResponseError extends AisleError {
  override name = 'UnexpectedResponseError';
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, text: string) {
    // A page of a proxy can repeat the headers of the request.
    const start = text.slice(0, 200).replace(/(bearer\s+|aisle_[a-z]+_)[^\s"'<]+/gi, '$1…');
    super(`Unexpected response with status ${status}${start === '' ? '' : `: ${start}`}`);
    this.status = status;
    this.headers = headers;
  }
}

/** 304: the copy whose `etag` was sent in `if-none-match` is current. */
export class NotModifiedError extends AisleError {
  override name = 'NotModifiedError';
}

/** There was no response. */
export class ConnectionError extends AisleError {
  override name = 'ConnectionError';
}

/** There was no response in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** A job failed as a whole. */
export class JobError extends AisleError {
  override name = 'JobError';
  declare readonly job: CatalogJob | PromotionJob;

  constructor(job: CatalogJob | PromotionJob) {
    super(`The job ${job.job_id} failed: ${job.error ?? 'no reason was given'}`);
    // Not enumerable: logs of the error would contain a thousand rows, and a link that works without a token.
    Object.defineProperty(this, 'job', { value: job });
  }

  /** Whether the job ran, and every row of it failed. */
  get hasOnlyFailedRows(): boolean {
    return (
      'progress' in this.job && this.job.progress.total > 0 && this.job.progress.failed === this.job.progress.total
    );
  }
}

/** The problems with one of these codes. */
export type ProblemWith<Code extends ErrorCode> = Extract<Problem, { code: Code }>;

/** Whether this is an error of the API, with one of these codes if any are given. */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<ProblemWith<Code>> {
  return error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code));
}
