import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { parseTimestamp, type RowReader, rowReaderFor } from './row-reader.ts';

const types = pg.types as Parameters<typeof rowReaderFor>[1];

test('a row has the columns as keys, in their order, with values by type', () => {
  const columns = [
    ['id', 25],
    ['count', 23],
    ['is_open', 16],
    ['document', 3802],
    ['tags', 1009],
    ['created_at', 1184],
    ['nothing', 1184],
  ] as const;
  const read = rowReaderFor(
    columns.map(([name, dataTypeID]) => ({ name, dataTypeID })),
    types,
  );
  const row = readRow(read, ['A', '7', 't', '{"a":[1]}', '{x,y}', '2026-03-01 09:30:00.123456+00', null]);
  const createdAt = new Date('2026-03-01T09:30:00.123Z');
  const expected = { id: 'A', count: 7, is_open: true, document: { a: [1] }, tags: ['x', 'y'], created_at: createdAt };
  assert.deepEqual(row, { ...expected, nothing: null });
  assert.deepEqual(
    Object.keys(row),
    columns.map(([name]) => name),
  );
});

test('a column can have any name', () => {
  const names = ['?column?', 'a"b', 'a\\b', "it's", '__proto__', 'constructor', '\u2028', '`${x}`', '1'];
  const read = rowReaderFor(
    names.map((name) => ({ name, dataTypeID: 25 })),
    types,
  );
  const row = readRow(
    read,
    names.map((_, index) => String(index)),
  );
  for (const [index, name] of names.entries())
    assert.equal(Object.getOwnPropertyDescriptor(row, name)?.value, String(index));
});

test('bytes are read from their digits', () => {
  const read = rowReaderFor(
    ['a', 'b', 'c'].map((name) => ({ name, dataTypeID: 17 })),
    types,
  );
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const row = readRow(read, [`\\x${all.toString('hex')}`, 'ax\\000\\\\', null]);
  assert.deepEqual(row, { a: all, b: Buffer.from('ax\0\\'), c: null });
});

test('if two columns have the same name, the last one counts', () => {
  const columns = ['a', 'b', 'a'].map((name) => ({ name, dataTypeID: 25 }));
  assert.deepEqual(readRow(rowReaderFor(columns, types), ['1', '2', '3']), { a: '3', b: '2' });
});

test('texts can have any characters and any length, between other values', () => {
  const texts = ['', 'plain', 'é', 'a€b', '🍎', 'x'.repeat(1000), 'ä'.repeat(1000), '\u0001', 'ÿ'];
  const names = texts.map((_, index) => `c${index}`);
  const read = rowReaderFor(
    names.flatMap((name) => [
      { name, dataTypeID: 25 },
      { name: `${name}n`, dataTypeID: 23 },
    ]),
    types,
  );
  const row = readRow(
    read,
    texts.flatMap((text, index) => [text, String(index)]),
  );
  assert.deepEqual(
    row,
    Object.fromEntries(
      texts.flatMap((text, index) => [
        [`c${index}`, text],
        [`c${index}n`, index],
      ]),
    ),
  );
});

test('times are read as the driver reads them', () => {
  const parse = pg.types.getTypeParser(1184, 'text') as (text: string) => unknown;
  const usual = ['2026-03-01 09:30:00+00', '2024-02-29 23:59:59.9+00', '2026-03-01 09:30:00.12+00'];
  const more = ['1970-01-01 00:00:00.001+00', '9999-12-31 23:59:59.999999+00', '2026-03-01 00:30:00.5+05'];
  for (const text of [...usual, ...more]) assert.deepEqual(parseTimestamp(text), parse(text), text);
  const others = [
    'infinity',
    '-infinity',
    '2026-03-01 09:30:00-05',
    '2026-03-01 09:30:00+05:30',
    '10000-01-01 00:00:00+00',
  ];
  for (const text of [
    ...others,
    '0044-03-15 12:00:00+00 BC',
    '0099-12-31 00:00:00+00',
    '1890-01-01 00:00:00+00:53:28',
    '',
  ]) {
    assert.equal(parseTimestamp(text), undefined, text);
  }
});

/** Encodes the values as PostgreSQL does, after a few other bytes. */
function readRow(read: RowReader, values: (string | null)[]): object {
  const parts = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return [length, Buffer.from(value ?? '')];
  });
  const bytes = Buffer.concat([Buffer.from([200, 0, 7]), ...parts, Buffer.from('rest')]);
  const row = read(bytes, bytes.toString('latin1'), 3);
  assert.deepEqual(read(bytes, null, 3), row);
  return row;
}
