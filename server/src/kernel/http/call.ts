import type { BodyOf, PathParams, QueryOf, ResponseOf, Route } from '@aisle/contract/route';
import type { FastifyRequest } from 'fastify';
import type { Database, Tx } from '../database/db.ts';
import type { KnownFields } from '../bodies/known-fields.ts';
import type { Listed } from './list-response.ts';

/** The caller. Determines which rate limit and idempotency keys apply, and which fields are added to the log entry. */
export type Caller = {
  subject: string;
  owner: string;
  /**
   * The part of the owner's data that the caller can access. A stored response is replayed only to callers with the
   * same reach.
   */
  reach: string;
  /** What the caller can do. A stored response with a secret is replayed only to callers with the same scopes. */
  scopes: readonly string[];
  /** Callers in the same group share a second, larger rate limit. Null if the caller is in no group. */
  group: { subject: string; name: string } | null;
  logged: Record<string, unknown>;
};

/** A request's validated input. */
export type Input<R extends Route, Access> = {
  access: Access;
  params: PathParams<R['path']>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  headers: FastifyRequest['headers'];
  /** The client's IP address. */
  address: string;
  /** The client's network address, by which requests are counted. */
  network: string;
  /** The body fields that the route declares, for a reader that gets the body as bytes. */
  knownFields: KnownFields | null;
  /** Reports ignored body fields in a response header. */
  reportIgnored(fields: readonly string[]): void;
};

export type Call<R extends Route, Access> = Input<R, Access> & {
  db: Database;
  /**
   * Runs the request's effects in a transaction. With an idempotency key, the transaction also stores the response. A
   * request of the platform gives the chain if the effects concern only its rows, and use only row locks and constraints.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, chainId?: string): Promise<Result>;
  /**
   * Whether all effects must happen in `transaction`, because it also stores the response under an idempotency key, or
   * records the action.
   */
  isAtomic: boolean;
  /** Fails if the caller has lost access since the request was admitted. For a handler that reads a stream. */
  confirmAccess(): Promise<void>;
  /** Counts the request against a limit for a subject that only the handler knows. */
  limit(subject: string, factor?: number): Promise<unknown>;
  /**
   * Counts memory that the response needs in addition to rows from `db`, until the response has been sent. Call this
   * before the memory is used. Fails if too many large responses are being sent.
   */
  reserve(bytes: number): Promise<void>;
  /** Returns a signal that is aborted when the client disconnects. */
  closeSignal(): AbortSignal;
  /** Adds fields to the request's log entry. */
  addToLog(fields: Record<string, unknown>): void;
};

export type Handler<R extends Route, Access> = (call: Call<R, Access>) => Promise<Listed<ResponseOf<R>>>;

/** `signal` is aborted when the client disconnects. */
export type ReadingInput<R extends Route, Access> = Input<R, Access> & { signal: AbortSignal };

/**
 * A handler for a route with a large body, which is slow to read. `prepare` reads the body and returns the handler that
 * uses the result. For a request with an idempotency key, this happens before a database connection is taken.
 */
export type ReadingHandler<R extends Route, Access> = {
  prepare(input: ReadingInput<R, Access>): Promise<Handler<R, Access>>;
};

/** One handler per route. A route that gets its body as bytes declares how the body is read. */
export type Handlers<Routes extends Record<string, Route>, Access> = {
  [Id in keyof Routes]: Routes[Id]['body'] extends { form: 'bytes' }
    ? ReadingHandler<Routes[Id], Access>
    : Handler<Routes[Id], Access>;
};

/** Declares that a route reads its body with `read`. Its handler gets the result as `call.plan` instead of the body. */
export function reading<R extends Route, Access, Plan>(stages: {
  read(input: ReadingInput<R, Access>): Promise<Plan>;
  handle(call: Omit<Call<R, Access>, 'body'> & { plan: Plan }): Promise<Listed<ResponseOf<R>>>;
}): ReadingHandler<R, Access> {
  return {
    async prepare(input) {
      const plan = await stages.read(input);
      return ({ body: _read, ...call }) => stages.handle({ ...call, plan });
    },
  };
}
