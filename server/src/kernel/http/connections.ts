import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { minBytesPerWindow } from './request-body.ts';
import { discardBody } from './small-chunks.ts';

/** How long the server waits for a client, in milliseconds. */
export type ConnectionLimits = {
  /** For the request line and the headers. */
  headersMs: number;
  /** For the complete request. */
  requestMs: number;
  /** For progress: in an upload, or in reading a response. */
  idleMs: number;
  /** For the rest of a request that has already been rejected. */
  lingerMs: number;
};

export function connectionLimits(idleSeconds: number): ConnectionLimits {
  return { headersMs: 30_000, requestMs: 300_000, idleMs: idleSeconds * 1000, lingerMs: idleSeconds * 500 };
}

/** The open connections of a server, for closing them when it stops. */
export type Connections = {
  /** Whether a response has been started on the connection. */
  isResponding(socket: Socket): boolean;
  /**
   * Closes connections on which no request is being handled. Node's own method keeps those with a partial request. New
   * connections are kept, because their first request may be on its way.
   */
  closeUnused(): void;
  closeAll(): void;
  isEmpty(): boolean;
};

export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { active: new Set(), isNewUntil: performance.now() + newMs });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.active.add(response);
    connection.isNewUntil = 0;
    response.once('close', () => connection.active.delete(response));
  });
  return {
    isResponding: (socket) => [...(open.get(socket)?.active ?? [])].some((response) => response.headersSent),
    closeUnused() {
      const now = performance.now();
      for (const [socket, { active, isNewUntil }] of open) if (active.size === 0 && now >= isNewUntil) socket.destroy();
    },
    closeAll() {
      for (const socket of open.keys()) socket.destroy();
    },
    isEmpty: () => open.size === 0,
  };
}

type Connection = {
  active: Set<ServerResponse>;
  /** The connection is new until then, or until its first request. */
  isNewUntil: number;
};

const newMs = 2000;

/**
 * Disconnects a client that sends many requests without waiting for the responses. They all arrive in one piece and
 * would be handled before anything else. Browsers, proxies and HTTP libraries send one request at a time.
 */
export function limitPipelining(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > maxUnanswered || socket.destroyed) {
      socket.destroy();
      return;
    }
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    for (const handle of handlers) handle.call(server, request, response);
  });
}

const maxUnanswered = 16;

/** Disconnects a client that stops reading its response, or does not finish sending a request after the response. */
export function limitClient(request: IncomingMessage, response: ServerResponse, limits: ConnectionLimits): void {
  // Reading the body can detach the socket from the request.
  const { socket } = request;
  response.setTimeout(limits.idleMs, () => {
    // If nothing is waiting to be sent, the client has read everything so far, and the server is still working.
    if (response.writableLength > 0) socket.destroy();
  });
  watchPace(socket, response, limits.idleMs);
  response.once('finish', () => {
    // A request injected by a test has no real connection.
    if (request.complete || !(socket instanceof Socket)) return;
    // Closing at once could discard the response, because the client is still sending.
    discardBody(request, socket);
    const timer = setTimeout(() => request.complete || socket.destroy(), limits.lingerMs);
    const stop = () => {
      clearTimeout(timer);
      socket.off('close', stop);
    };
    socket.once('close', stop);
    // The connection can stay open for many more requests.
    request.once('end', stop);
  });
}

/**
 * Disconnects a client that reads its response slowly, because the response uses memory until it has been read. Only
 * whole windows count: a response that was not ready at the start of a window has not been read slowly, nor has one
 * that waits for an earlier response on the same connection.
 */
function watchPace(socket: Socket, response: ServerResponse, idleMs: number): void {
  const start = sentBytes(socket);
  let before = start;
  let wasWaiting = false;
  const timer = setInterval(() => {
    const sent = sentBytes(socket);
    const waiting = response.socket === socket ? response.writableLength : 0;
    const minBytes = sent - start + waiting > largeResponseBytes ? minBytesOfLarge : minBytesPerWindow;
    if (wasWaiting && waiting > 0 && sent - before < minBytes) socket.destroy();
    before = sent;
    wasWaiting = waiting > 0;
  }, idleMs);
  response.once('close', () => clearInterval(timer));
}

/** The bytes that the operating system has accepted. The public counters include a large write before it is complete. */
function sentBytes(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as SocketInternals;
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0);
}

/** Node uses these properties for the timeout of a socket, too. */
type SocketInternals = { _bytesDispatched?: number; _handle?: { writeQueueSize: number } | null };

const largeResponseBytes = 1024 * 1024;
const minBytesOfLarge = 256 * 1024;

/** Sends the last response on a connection and closes it, even if the client does not read the response. */
export function endConnection(socket: Socket, text: string, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(text, () => socket.destroy());
}
