import assert from 'node:assert/strict';
import test from 'node:test';
import {
  countStates,
  fillStates,
  listStates,
  readPreparedLog,
  stateMark,
  unknownRows,
  vendorMark,
} from './update-log.ts';

const head = { sound: 4, failed: 1, superseded: 0, failures: [] };

function prepare(lineEnd: string, vendorId?: string) {
  const lines = [
    `Äpfel 🍎${stateMark}3,`,
    `B${stateMark}12,40`,
    'C,bad,FAILED,"…",13,',
    `D${stateMark}14,`,
    `E${stateMark}15,`,
  ];
  const text = [JSON.stringify(head), ...lines.map((line, index) => (index === 4 ? line : line + lineEnd))].join('\n');
  return readPreparedLog(Buffer.from(`${text}${lineEnd}\n`), vendorId);
}

test('the states are inserted into the lines of valid items', () => {
  assert.deepEqual(fillStates(prepare(''), 'U=NS').toString().split('\n'), [
    'Äpfel 🍎,,UPDATED,,3,',
    'B,,UNCHANGED,,12,40',
    'C,bad,FAILED,"…",13,',
    'D,product_not_found,FAILED,"The vendor has no product with this SKU.",14,',
    'E,superseded_by_single_update,SUPERSEDED,"A single update to this SKU was accepted after this job.",15,',
    '',
  ]);
});

test('in a file for several vendors, every line ends with the vendor', () => {
  const lines = fillStates(prepare(vendorMark, 'döner "1"'), 'UUUU').toString().split('\n').slice(0, -1);
  assert.equal(lines.length, 5);
  for (const line of lines) assert.ok(line.endsWith(',"döner ""1"""'), line);
  assert.equal(lines[1], 'B,,UPDATED,,12,40,"döner ""1"""');
});

test('states are listed by row number', () => {
  for (const log of [prepare(''), prepare(vendorMark, 'a')]) {
    assert.equal(listStates(log, { written: [15], unknown: [3], superseded: [12] }), 'NS=U');
    assert.equal(listStates(log, { written: [], unknown: [], superseded: [] }), '====');
    assert.deepEqual(unknownRows(log, 'NU=N', 10), [3, 15]);
    assert.deepEqual(unknownRows(log, 'NU=N', 1), [3]);
    assert.deepEqual(unknownRows(log, 'UUUU', 10), []);
  }
  assert.deepEqual(countStates('U=NS', head), { succeeded: 1, unchanged: 2, failed: 2 });
});
