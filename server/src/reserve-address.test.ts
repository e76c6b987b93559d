import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { AddressError, reserveAddress } from './reserve-address.ts';

const hosts = ['127.0.0.1', '0.0.0.0', 'localhost'];

for (const host of hosts) {
  test(`a port that is in use cannot be reserved on ${host}`, async () => {
    const { server, port } = await listenOnAnyPort();
    await assert.rejects(reserveAddress({ host, port, setting: 'AISLE_SFTP_PORT' }), (error) => {
      assert.ok(error instanceof AddressError);
      assert.equal(error.message, `Port ${port} is already in use; set AISLE_SFTP_PORT to another port.`);
      return true;
    });
    server.close();
  });

  test(`a free port can be reserved on ${host}, and then used`, async () => {
    const { server, port } = await listenOnAnyPort();
    server.close();
    await once(server, 'close');
    const address = await reserveAddress({ host, port });
    assert.equal(address.port, port);
    const second = createServer();
    await address.handOver(async (given) => {
      assert.equal(given.port, port);
      await once(second.listen(given), 'listening');
    });
    second.close();
  });
}

test('an address of another machine cannot be reserved', async () => {
  await assert.rejects(
    reserveAddress({ host: '192.0.2.1', port: 8080 }),
    new AddressError('HOST 192.0.2.1 is not an address of this machine.'),
  );
});

async function listenOnAnyPort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
