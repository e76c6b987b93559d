import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test from 'node:test';
import { interceptRows, type ReceivingConnection } from './received-rows.ts';

/** A message of the protocol: its type, its length and its content. */
function message(type: string, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(5, type);
  header.writeUInt32BE(4 + bytes.length, 1);
  return Buffer.concat([header, bytes]);
}

function row(text: string): Buffer {
  return message('D', Buffer.concat([Buffer.from([0, 1]), Buffer.from(text)]));
}

/** Sends the chunks to a connection, and returns what the driver and the group have received, in order. */
function receive(chunks: Buffer[], waitsForRows: (received: string[]) => boolean = () => true): string[] {
  const received: string[] = [];
  const stream = new EventEmitter();
  const connection: ReceivingConnection = {
    attachListeners: (from) => {
      from.on('data', (bytes: Buffer) => {
        received.push(`driver ${bytes.toString('latin1').replaceAll(/[^a-zA-Z]/g, '')}`);
        setHandler();
      });
      from.on('end', () => received.push('end'));
    },
  };
  const onRow = (bytes: Buffer, text: string | null, at: number) => {
    const end = at - 7 + 1 + bytes.readUInt32BE(at - 6);
    if (text !== null) assert.equal(text.slice(at, end), bytes.toString('latin1', at, end));
    received.push(`row ${bytes.toString('utf8', at, end)}`);
  };
  const setHandler = () => (connection.onRow = waitsForRows(received) ? onRow : undefined);
  setHandler();
  interceptRows(connection);
  connection.attachListeners(stream);
  for (const chunk of chunks) stream.emit('data', chunk);
  stream.emit('end');
  return received;
}

const response = [
  message('1', ''),
  message('2', ''),
  row('first'),
  row('zweite ä'),
  message('C', 'SELECT'),
  message('Z', 'I'),
];

test('rows are read from the bytes, all other messages are left to the driver', () => {
  assert.deepEqual(receive([Buffer.concat(response)]), [
    'driver ',
    'row first',
    'row zweite ä',
    'driver CSELECTZI',
    'end',
  ]);
});

test('messages can be split anywhere', () => {
  const bytes = Buffer.concat(response);
  const whole = receive([bytes]).join('').replaceAll('driver ', '');
  for (let size = 1; size < bytes.length; size++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    assert.equal(receive(chunks).join('').replaceAll('driver ', ''), whole, `chunks of ${size} bytes`);
  }
});

test('rows for which no group waits are left to the driver', () => {
  const messages = [row('a'), message('C', 'x'), row('b'), message('C', 'y'), row('c')];
  const isAfterFirst = (received: string[]) => received.length === 1;
  assert.deepEqual(receive([Buffer.concat(messages)], isAfterFirst), [
    'driver DaCx',
    'row b',
    'driver Cy',
    'driver Dc',
    'end',
  ]);
});

test('a message that arrives in many chunks is put together once', () => {
  const large = row('x'.repeat(20_000_000));
  const chunks: Buffer[] = [];
  for (let at = 0; at < large.length; at += 10_000) chunks.push(large.subarray(at, at + 10_000));
  const [only, end] = receive(chunks);
  assert.equal(only?.length, 'row '.length + 20_000_000);
  assert.equal(end, 'end');
});
