import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test from 'node:test';
import { listen } from './listen.ts';

test('a database that cannot be reached for notifications is reported once', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
    if (connections === 2) tried.resolve();
  });
  const tried = Promise.withResolvers<void>();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const lost: string[] = [];
  const listener = listen(
    `postgres://aisle@127.0.0.1:${port}/aisle`,
    {},
    { onConnected: () => assert.fail(), onLost: ({ message }) => lost.push(message) },
  );
  await tried.promise;
  await listener.close();
  await new Promise((resolve) => server.close(resolve));
  assert.equal(lost.length, 1);
  assert.equal(listener.isListening(), false);
});
