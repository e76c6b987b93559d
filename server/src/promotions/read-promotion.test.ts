import assert from 'node:assert/strict';
import test from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { Failure } from '../kernel/failures/failure.ts';
import { maxSkusPerChunk, type PromotionPlan, readPromotion } from './read-promotion.ts';

const now = Date.parse('2026-05-04T12:00:00Z');
const valid = {
  vendors: ['s8ym', 'k3qd', 's8ym'],
  type: 'STRIKETHROUGH',
  display_name: { en_AE: 'Week' },
  conditions: { start_time: '2026-05-04T00:00:00', end_time: '2026-05-11T02:00:00+02:00' },
  discount: [{ discount_subtype: 'FINAL_PRICE', discount_value: 4.5559, sku: ['B', 'A'] }],
};

function plan(body: unknown): PromotionPlan {
  return readPromotion(body, { now });
}

/** The pointer and code of every error. */
function faults(body: unknown): string[] {
  try {
    plan(body);
    return [];
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return error.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
  }
}

const linesOf = ({ chunks }: PromotionPlan) =>
  chunks.flatMap(({ lines }) => zstdDecompressSync(lines).toString().split('\n').slice(0, -1));

test('a request becomes a header and rows in COPY format sorted by SKU', () => {
  const read = plan({ ...valid, discount: [...valid.discount, { active: false, sku: ['=C\tD'] }] });
  assert.deepEqual(read.header, {
    vendors: ['s8ym', 'k3qd'],
    type: 'STRIKETHROUGH',
    active: true,
    reason: null,
    display_name: { en_AE: 'Week' },
    start_time: '2026-05-04T00:00:00.000Z',
    end_time: '2026-05-11T00:00:00.000Z',
    purchased_quantity: null,
    discounted_quantity: null,
    limits: null,
  });
  assert.deepEqual([read.total, read.hasAdditions, read.chunks.map(({ skus }) => skus)], [3, true, [3]]);
  assert.deepEqual(linesOf(read), [
    "1\t=C\\tD\t'=C\\tD\tf\t\\N\t\\N\t\\N",
    '2\tA\tA\tt\tFINAL_PRICE\t4.555\t\\N',
    '3\tB\tB\tt\tFINAL_PRICE\t4.555\t\\N',
  ]);
});

test('`*` means all vendors, either alone or as the only element of a list', () => {
  for (const vendors of ['*', ['*']]) assert.equal(plan({ ...valid, vendors }).header.vendors, '*');
  assert.deepEqual(faults({ ...valid, vendors: ['*', 's8ym'] }), ['/vendors not_allowed']);
});

test('a cancellation needs no entries, and any entries in it are ignored', () => {
  const { discount: _, ...bare } = valid;
  for (const body of [bare, valid]) {
    const read = plan({ ...body, active: false });
    assert.deepEqual([read.header.active, read.total, read.chunks], [false, 0, []]);
  }
});

test('bundle quantities are kept only for bundles', () => {
  const conditions = { ...valid.conditions, purchased_quantity: 2, discounted_quantity: 1 };
  assert.equal(plan({ ...valid, conditions }).header.purchased_quantity, null);
  const { header } = plan({ ...valid, type: 'SAME_ITEM_BUNDLE', conditions });
  assert.deepEqual([header.purchased_quantity, header.discounted_quantity], [2, 1]);
  assert.deepEqual(faults({ ...valid, type: 'SAME_ITEM_BUNDLE' }), [
    '/conditions/purchased_quantity missing',
    '/conditions/discounted_quantity missing',
  ]);
});

test('limits are truncated to three decimal places, and absent limits stay absent', () => {
  assert.deepEqual(plan({ ...valid, limits: {} }).header.limits, {});
  assert.deepEqual(plan({ ...valid, limits: { max_discount_per_order: 5.5559, global_limit: 3 } }).header.limits, {
    max_discount_per_order: '5.555',
    global_limit: 3,
  });
});

const entry = (more: Record<string, unknown>) => ({
  ...valid,
  discount: [{ discount_subtype: 'PERCENTAGE', discount_value: 5, sku: ['A'], ...more }],
});

/** A name in this many locales. */
function namesIn(count: number): Record<string, string> {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const locales = letters.flatMap((one) => letters.map((two) => `${one}${two}_AE`));
  return Object.fromEntries(locales.slice(0, count).map((locale) => [locale, 'Week']));
}

const wrong: [label: string, body: unknown, ...faults: string[]][] = [
  ['a body that is not an object', [], ' wrong_type'],
  ['an empty list of vendors', { ...valid, vendors: [] }, '/vendors not_allowed'],
  ['a request without vendors', { ...valid, vendors: null }, '/vendors missing'],
  ['an unknown type', { ...valid, type: 'GIFT' }, '/type not_allowed'],
  ['a name that is a string', { ...valid, display_name: 'Week' }, '/display_name wrong_type'],
  ['a name in too many locales', { ...valid, display_name: namesIn(51) }, '/display_name too_long'],
  ['a name without locales', { ...valid, display_name: {} }, '/display_name too_short'],
  ['a name with an invalid locale', { ...valid, display_name: { english: 'x' } }, '/display_name/english not_allowed'],
  ['an empty name', { ...valid, display_name: { en_AE: ' ' } }, '/display_name/en_AE bad_length'],
  ['a lowercase reason', { ...valid, reason: 'because' }, '/reason bad_format'],
  ['a request without conditions', { ...valid, conditions: undefined }, '/conditions missing'],
  [
    'an invalid time',
    { ...valid, conditions: { ...valid.conditions, start_time: '2026-02-30' } },
    '/conditions/start_time bad_format',
  ],
  [
    'an end equal to the start',
    { ...valid, conditions: { start_time: '2026-06-01', end_time: '2026-06-01' } },
    '/conditions/end_time out_of_range',
  ],
  [
    'an end in the past',
    { ...valid, conditions: { start_time: '2026-05-01', end_time: '2026-05-04T12:00:00Z' } },
    '/conditions/end_time out_of_range',
  ],
  ['an active promotion without entries', { ...valid, discount: [] }, '/discount missing'],
  ['a discount that is not a list', { ...valid, discount: {} }, '/discount wrong_type'],
  ['an entry that is not an object', { ...valid, discount: ['A'] }, '/discount/0 wrong_type'],
  ['an entry without SKUs', entry({ sku: null }), '/discount/0/sku missing'],
  ['an entry whose SKU is not a list', entry({ sku: 'A' }), '/discount/0/sku wrong_type'],
  ['an entry with an empty list of SKUs', entry({ sku: [] }), '/discount/0/sku too_short'],
  [
    'a list of invalid SKUs',
    entry({ sku: ['', 5, 'x'.repeat(65), 'a\0'] }),
    '/discount/0/sku/0 bad_length',
    '/discount/0/sku/1 wrong_type',
    '/discount/0/sku/2 bad_length',
    '/discount/0/sku/3 bad_character',
  ],
  [
    'a repeated SKU',
    { ...valid, discount: [...valid.discount, { active: false, sku: ['C', 'A'] }] },
    '/discount/1/sku/1 repeated',
  ],
  ['an entry without a subtype', entry({ discount_subtype: null }), '/discount/0/discount_subtype missing'],
  ['an unknown subtype', entry({ discount_subtype: 'HALF' }), '/discount/0/discount_subtype not_allowed'],
  ['an entry without a value', entry({ discount_value: null }), '/discount/0/discount_value missing'],
  ['a value that is a string', entry({ discount_value: '5' }), '/discount/0/discount_value wrong_type'],
  ['a discount of 0 percent', entry({ discount_value: 0 }), '/discount/0/discount_value out_of_range'],
  ['a percentage that is truncated to 0', entry({ discount_value: 0.0009 }), '/discount/0/discount_value out_of_range'],
  [
    'a discount of more than 100 percent',
    entry({ discount_value: 100.001 }),
    '/discount/0/discount_value out_of_range',
  ],
  [
    'an amount of 0',
    entry({ discount_subtype: 'ABSOLUTE', discount_value: 0 }),
    '/discount/0/discount_value out_of_range',
  ],
  [
    'a negative price',
    entry({ discount_subtype: 'FINAL_PRICE', discount_value: -1 }),
    '/discount/0/discount_value out_of_range',
  ],
  [
    'a price that would be truncated to 0',
    entry({ discount_subtype: 'FINAL_PRICE', discount_value: 0.0004 }),
    '/discount/0/discount_value out_of_range',
  ],
  ['a SKU with a space before it', entry({ sku: [' A'] }), '/discount/0/sku/0 bad_format'],
  ['a SKU with a space after it', entry({ sku: ['B', 'A '] }), '/discount/0/sku/1 bad_format'],
  [
    'a price above the maximum',
    entry({ discount_subtype: 'FINAL_PRICE', discount_value: 10_000_000 }),
    '/discount/0/discount_value out_of_range',
  ],
  ['an active flag that is not a boolean', entry({ active: 'no' }), '/discount/0/active wrong_type'],
  ['a quantity of 0', entry({ max_quantity: 0 }), '/discount/0/max_quantity out_of_range'],
  ['a quantity of 1.5', entry({ max_quantity: 1.5 }), '/discount/0/max_quantity not_whole'],
  [
    'a set of limits that are zero or fractional',
    { ...valid, limits: { max_discount_per_order: 0, max_items_per_order: 0, global_limit: 1.5 } },
    '/limits/max_discount_per_order out_of_range',
    '/limits/max_items_per_order out_of_range',
    '/limits/global_limit not_whole',
  ],
];
for (const [label, body, ...expected] of wrong) {
  test(`${label} is rejected with a pointer`, () => assert.deepEqual(faults(body).toSorted(), expected.toSorted()));
}

test('only the first 50 errors are reported', () => {
  const many = Array.from({ length: 1000 }, () => ({ sku: [''] }));
  assert.equal(faults({ ...valid, discount: many }).length, 50);
});

test('a large request is split into chunks that have no SKUs in common, and a medium-sized one into two', () => {
  const sizes = (count: number) => {
    const sku = Array.from({ length: count }, (_, index) => `S${(index * 7919) % count}`);
    const read = plan({ ...valid, discount: [{ ...valid.discount[0], sku }] });
    const skus = linesOf(read).map((line) => line.split('\t')[1] ?? '');
    assert.deepEqual(skus, sku.toSorted());
    return read.chunks.map((chunk) => chunk.skus);
  };
  assert.deepEqual(sizes(499), [499]);
  assert.deepEqual(sizes(1200), [600, 600]);
  assert.deepEqual(sizes(2 * maxSkusPerChunk + 1), [maxSkusPerChunk, maxSkusPerChunk, 1]);
});

test('any body is either accepted or rejected with an error', () => {
  const field = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  const body = fc.record(
    {
      vendors: fc.oneof(fc.constant('*'), field),
      type: fc.oneof(fc.constantFrom('STRIKETHROUGH', 'SAME_ITEM_BUNDLE'), field),
      active: fc.oneof(fc.boolean(), field),
      display_name: fc.oneof(fc.constant(valid.display_name), field),
      conditions: fc.oneof(fc.constant(valid.conditions), field),
      limits: field,
      reason: field,
      discount: fc.oneof(
        fc.array(fc.record({ sku: fc.array(fc.string()), discount_value: field, active: field })),
        field,
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), (given) => {
      if (faults(given).length === 0) assert.ok(plan(given).header.end_time > '2026-05-04T12');
    }),
  );
});
