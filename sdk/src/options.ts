import type { AisleError } from './errors.ts';

export type ClientOptions = Credentials & {
  /** The address of the installation, such as `https://aisle.example.com`. */
  baseUrl: string | URL;
  /** The chain for paths that contain one. Default: the chain that the credentials belong to. */
  chainId?: string | undefined;
  /** How long an attempt can take. Default: 30 seconds, and 5 minutes for large bodies and files. */
  timeoutMs?: number | undefined;
  /** How often a request is repeated after a temporary failure, if that is safe. Default: 3. */
  retries?: number | undefined;
  /** The longest `Retry-After` to wait for. If the server asks for more, the error is thrown. Default: 60 seconds. */
  maxRetryDelayMs?: number | undefined;
  /** Called before a request is repeated, for example to log it. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Ends all requests of the client. */
  signal?: AbortSignal | undefined;
  /** Headers for every request. */
  headers?: Record<string, string> | undefined;
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/** An API token, client credentials, the session of a portal user, or none for public operations. */
export type Credentials =
  | { token: string | (() => string | Promise<string>); clientId?: never; clientSecret?: never; session?: never }
  | {
      clientId: string;
      clientSecret: string;
      /** The scopes to request, separated by spaces. Default: all scopes of the client. */
      scope?: string | undefined;
      token?: never;
      session?: never;
    }
  /** The browser sends the session cookie. */
  | { session: true; token?: never; clientId?: never; clientSecret?: never }
  | { token?: never; clientId?: never; clientSecret?: never; session?: never };

/** Options for a single request. */
export type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** How long an attempt can take. For downloads, how long to wait for the next bytes. */
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** Made automatically. Set it to repeat a request safely even after your program was restarted. */
  idempotencyKey?: string | undefined;
  /** For example `if-match`, `if-none-match`, `prefer` or `accept`. */
  headers?: Record<string, string> | undefined;
};

export type Retry = {
  method: string;
  url: string;
  /** The number of the attempt that failed, starting at 1. */
  attempt: number;
  delayMs: number;
  error: AisleError;
};

/** Options for waiting until a job has finished. */
export type FinishedOptions<Job> = {
  signal?: AbortSignal | undefined;
  /** Called with the job each time it is read. */
  onProgress?: ((job: Job) => void) | undefined;
  /** The longest time between two reads of the job. Default: 3 seconds. */
  pollMs?: number | undefined;
  /** How long to wait for the job. Default: without limit. */
  timeoutMs?: number | undefined;
};
