import assert from 'node:assert/strict';
import test from 'node:test';
import { createPaint } from './paint.ts';
import { formatFields, formatTable } from './table.ts';
import { money, plain, shortNames, truncate, widthOfText, wrap } from './text.ts';
import { parseDuration, relativeTime } from './time.ts';

const noColor = (_style: string, text: string) => text;
const columns = [
  { title: 'SKU' },
  { title: 'NAME', flexible: true as const },
  { title: 'PRICE', align: 'right' as const },
];
const rows = [
  ['MLK-1', 'Fresh milk from the hills of a country with a very long name', '6.50'],
  ['BRD-22', 'Bread', '12.00'],
];

test('a table that is wider than the terminal shortens its flexible column only', () => {
  const lines = formatTable(columns, rows, { width: 40, paint: noColor }).split('\n');
  assert.deepEqual(lines, [
    'SKU     NAME                       PRICE',
    'MLK-1   Fresh milk from the hill…   6.50',
    'BRD-22  Bread                      12.00',
  ]);
});

test('a table that is not shown in a terminal is not shortened', () => {
  const text = formatTable(columns, rows, { width: Number.POSITIVE_INFINITY, paint: noColor });
  assert.match(text, /with a very long name/);
});

test('text from the API cannot move the cursor or break a row', () => {
  assert.equal(plain('a\u001b[2Jb\u0007\nc\u009bd'), 'ab c d');
  const text = formatTable([{ title: 'A' }], [['x\ny\u001b[31m']], { width: 80, paint: noColor });
  assert.equal(text, 'A\nx y');
});

test('wide characters and combining marks have the width that terminals give them', () => {
  assert.deepEqual([widthOfText('牛乳'), widthOfText('خبّاز'), widthOfText('\u001b[1mab\u001b[22m')], [4, 4, 2]);
  assert.equal(truncate('牛乳牛乳', 5), '牛乳…');
});

test('long values are wrapped below each other', () => {
  const text = formatFields(
    [
      ['Scopes', 'orders:read orders:write'],
      ['None', undefined],
    ],
    { width: 22, paint: noColor },
  );
  assert.equal(text, 'Scopes  orders:read\n        orders:write');
  assert.equal(wrap('one two three', 7), 'one two\nthree');
});

test('colors are used in a terminal only, and NO_COLOR, TERM and --no-color turn them off', () => {
  const colored = (env: Record<string, string>, isTTY: boolean, isAllowed = true) =>
    createPaint({ env }, { write() {}, isTTY }, isAllowed)('red', 'x') !== 'x';
  assert.deepEqual(
    [
      colored({}, true),
      colored({}, false),
      colored({ NO_COLOR: '1' }, true),
      colored({ TERM: 'dumb' }, true),
      colored({}, true, false),
      colored({ FORCE_COLOR: '1' }, false),
    ],
    [true, false, false, false, false, true],
  );
});

test('amounts have the decimal places of their currency', () => {
  assert.deepEqual([money(6.5, 'AED'), money(1.25, 'KWD'), money(300, 'JPY')], ['6.50 AED', '1.250 KWD', '300 JPY']);
});

test('times are relative to now, in both directions', () => {
  const now = new Date('2026-05-04T12:00:00Z');
  const texts = [
    '2026-05-04T11:59:59Z',
    '2026-05-04T11:57:30Z',
    '2026-05-04T14:10:00Z',
    '2026-05-01T12:00:00Z',
    '2026-01-01T00:00:00Z',
  ];
  assert.deepEqual(
    texts.map((time) => relativeTime(time, now)),
    ['now', '2 min ago', 'in 2 h', '3 d ago', '2026-01-01'],
  );
  assert.deepEqual(['90s', '15m', '2h', '1d', '2', 'x'].map(parseDuration), [
    90e3,
    900e3,
    7200e3,
    86400e3,
    undefined,
    undefined,
  ]);
});

test('every color differs enough from a white and from a black background', () => {
  const terminal = { env: { TERM: 'xterm-256color' } };
  const paint = createPaint(terminal, { write() {}, isTTY: true }, true);
  for (const style of ['red', 'green', 'yellow', 'cyan'] as const) {
    const [, code] = /38;5;(\d+)m/.exec(paint(style, 'x')) ?? [];
    const brightness = luminance(Number(code));
    assert.ok(1.05 / (brightness + 0.05) >= 3.8, `${style} on white`);
    assert.ok((brightness + 0.05) / 0.05 >= 3.8, `${style} on black`);
  }
  // Terminals without these colors have their own.
  const old = createPaint({ env: { TERM: 'linux' } }, { write() {}, isTTY: true }, true);
  assert.equal(old('red', 'x'), '\u001b[31mx\u001b[39m');
});

/** The relative luminance of WCAG for a color of the cube of 216 colors. */
function luminance(code: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const index = code - 16;
  const parts = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((one) => (levels[one] ?? 0) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((one) =>
    one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('names that start alike are shown by their different ends', () => {
  const names = ['Saltbush Market, Dubai Marina', 'Saltbush Market, Jumeirah', 'Saltbush Market, Dubai Marina'];
  assert.deepEqual(shortNames(names), ['Dubai Marina', 'Jumeirah', 'Dubai Marina']);
  for (const kept of [['Shop A', 'Shop B'], ['Saltbush, Marina'], ['Saltbush, ', 'Saltbush, Marina'], []]) {
    assert.deepEqual(shortNames(kept), kept);
  }
});
