import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * With `Expect: 100-continue`, the client waits for 100 Continue before it sends its body. The server sends 100
 * Continue only when it is about to read the body, so that a rejected client (no access, too large, no memory) does not
 * send the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    // If the body is never sent, it is unclear where the next request on the connection begins.
    response.setHeader('connection', 'close');
    server.emit('request', request, response);
  });
  // Without this listener, Node would keep the connection open, and such requests would not be counted anywhere.
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { connection: 'close', 'content-length': 0 }).end();
  });
}

/** Call this when the body is about to be read. */
export function continueIfExpected(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  response.removeHeader('connection');
  response.writeContinue();
}

const waiting = new WeakMap<IncomingMessage, ServerResponse>();
