import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * `Expect: 100-continue`: the caller sends its body once it is told to go on. It is told when the body is about to be
 * read, so that whoever is refused (not admitted, too large, no memory) does not send it in vain.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    // Without the body nobody knows where the next request would begin.
    response.setHeader('connection', 'close');
    server.emit('request', request, response);
  });
}

/** The body is wanted now. */
export function continueIfAsked(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  response.removeHeader('connection');
  response.writeContinue();
}

const waiting = new WeakMap<IncomingMessage, ServerResponse>();
