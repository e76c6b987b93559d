import type { Download } from './downloads.ts';
import type { FinishedOptions, RequestOptions } from './options.ts';

/** What the SDK knows about an operation at run time. Generated from the contract. */
export type OperationRow = {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The required scope, or `any`, `platform`, `session` or `public`. */
  access: string;
  /** Other scopes that grant access. */
  orScopes?: readonly string[];
  /** Scopes that are required in addition. */
  andScopes?: readonly string[];
  /** The minimum role of a portal user, if the scope does not imply it. */
  role?: string;
  /** The minimum role of a console user, if the method does not imply it. */
  platformRole?: string;
  /**
   * `always`: repeating the request is harmless. `keyed`: it is harmless with the same idempotency key. `rejected`:
   * only after a response that says that nothing was changed.
   */
  retry: 'always' | 'keyed' | 'rejected';
  /** How the body is sent. `large` bodies are compressed. */
  body?: 'json' | 'large' | 'stream' | 'form';
  /** How to read all items, and the field that contains them. `array` responses are the items. */
  list?: { style: 'pages' | 'array' | 'cursor' | 'feed'; items: string };
  /** The operation that returns the job that a 202 response names. */
  job?: 'getCatalogJob' | 'getPromotionJob';
  /** The response is a file. */
  download?: true;
};

export type OperationTable = Record<string, OperationRow>;

/** A response with its headers. */
export type ApiResponse<Body> = { status: number; headers: Headers; requestId: string | undefined; data: Body };

/** The file to upload. A stream can be sent only once, so its upload is never retried. */
export type FileBody = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface Operation<Input, Body> {
  (...args: Arguments<Input>): Promise<Body>;
  /** Also returns the status and the headers, such as the `etag`. */
  withResponse(...args: Arguments<Input>): Promise<ApiResponse<Body>>;
}

/** Returns one page of a list. */
export interface ListOperation<Input, Body, Item> extends Operation<Input, Body> {
  /** All items, read page by page as they are needed. */
  all(...args: Arguments<Input>): AsyncGenerator<Item, void, undefined>;
  /** All pages, read as they are needed. */
  pages(...args: Arguments<Input>): AsyncGenerator<Body, void, undefined>;
}

/** Creates a job. */
export interface JobOperation<Input, Body, Job> {
  (...args: Arguments<Input>): JobPromise<Body, Job>;
  withResponse(...args: Arguments<Input>): Promise<ApiResponse<Body>>;
}

/** The response, which says that the job was accepted. */
export interface JobPromise<Body, Job> extends Promise<Body> {
  /** Waits until the job has finished. Throws a `JobError` if it failed as a whole. */
  finished(options?: FinishedOptions<Extract<Job, { job_status: string }>>): Promise<Job>;
}

/** Downloads a file as a stream. */
export interface DownloadOperation<Input, Row> {
  (...args: Arguments<Input>): Promise<Download>;
  /** The rows of the file as objects, read as they are needed. */
  rows: [Row] extends [never] ? never : (...args: Arguments<Input>) => AsyncGenerator<Row, void, undefined>;
}

/** The input can be left out if none of its fields is required. */
export type Arguments<Input> = object extends Input
  ? [input?: Input, options?: RequestOptions]
  : [input: Input, options?: RequestOptions];
