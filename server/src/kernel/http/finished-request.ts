import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../monitoring/log.ts';
import type { Caller } from './call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as soon as the caller is known, even if the request is then rejected. */
    caller?: Caller;
    /** The payload passed to Fastify: text, bytes or a stream. */
    sent?: unknown;
  }
}

/** A request whose response was sent, or whose connection was closed before that. */
export type FinishedRequest = {
  id: string;
  method: string;
  /** The path with the query string. */
  url: string;
  params: Readonly<Record<string, string>>;
  /** 499 if the connection was closed before a response was sent. */
  status: number;
  durationMs: number;
  isAborted: boolean;
  isStreamed: boolean;
  /** Undefined if the credential is unknown or the route does not require one. */
  caller: Caller | undefined;
  /** The result of admission, or undefined if the request was rejected. */
  access: unknown;
  idempotency: string | undefined;
  /** The decompressed body. Undefined if there was no body or it was not read. */
  requestBody: Buffer | undefined;
  /** Undefined if there was no body or it was not text. */
  responseBody: string | undefined;
  responseHeader(name: string): string | undefined;
};

export type RequestObserver = (finished: FinishedRequest) => void;

/** Calls `observe` once for every request, after its response. */
export function observeRequests(app: FastifyInstance, log: Log, observe: RequestObserver): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Unlike Fastify's onResponse hook, this event also fires if the client has disconnected.
    reply.raw.once('close', () => {
      try {
        observe(finishedRequest(request, reply));
      } catch (error) {
        log.error({ event: 'request.not_observed', request_id: request.id, err: error });
      }
    });
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.sent = payload;
    done();
  });
}

function finishedRequest(request: FastifyRequest, reply: FastifyReply): FinishedRequest {
  const { raw } = reply;
  const { sent, body } = request;
  const isAborted = !raw.writableEnded;
  return {
    id: request.id,
    method: request.method,
    url: request.url,
    params: (request.params ?? {}) as Record<string, string>,
    status: isAborted && !raw.headersSent ? 499 : reply.statusCode,
    durationMs: reply.elapsedTime,
    isAborted,
    isStreamed: typeof sent === 'object' && sent !== null && 'pipe' in sent,
    caller: request.caller,
    access: request.admission?.access,
    idempotency: request.logged?.['idempotency'] as string | undefined,
    requestBody: Buffer.isBuffer(body) && body.length > 0 ? body : undefined,
    responseBody: typeof sent === 'string' && sent !== '' ? sent : undefined,
    responseHeader: (name) => reply.getHeader(name)?.toString(),
  };
}
