import assert from 'node:assert/strict';
import test from 'node:test';
import { parseSource, type Source, sources } from './sources.ts';

/**
 * The kernel could be used in any product, so it contains no words for what is sold, ordered or delivered. `chain` is
 * allowed because it is the tenant key in every row (see server/src/kernel/README.md). Words inside identifiers such as
 * orderId and order_id count too.
 */
const commerceWords = new Set(
  `vendor vendors product products promotion promotions catalog catalogs sku skus price prices pricing basket baskets
   cart carts discount discounts offer offers barcode barcodes customer customers shop shops grocery retailer
   orders outlet outlets picker picking rider riders delivery deliveries webhook webhooks`.split(/\s+/),
);

test('the kernel contains no commerce words', () => {
  const kernel = [...sources.values()].filter(({ path }) => path.startsWith('server/src/kernel/'));
  assert.ok(kernel.length > 30, 'the scan found the kernel');
  assert.deepEqual(kernel.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(findCommerceWords), []);
});

test('the scan finds commerce words in identifiers, strings and comments, and ignores "in order"', () => {
  const find = (text: string) => findCommerceWords(parseSource('server/src/kernel/http/page.ts', text));
  for (const text of [
    "const sql = 'select 1 from queue_tasks order by run_at';",
    '// They run in order, in the order of their numbers; store the result.',
    'const chainId = task.chain_id;',
    "import { a } from '@aisle/contract/catalog';",
  ]) {
    assert.deepEqual(find(text), [], text);
  }
  for (const text of [
    'const vendorId = 1;',
    'type Row = { vendor_id: string };',
    'const orderId = 1;',
    "const sql = 'select order_id from tasks';",
    '// One lane for each order.',
    '// What a store sends.',
    'const SKUS = 1;',
    'const label = `price`;',
  ]) {
    assert.notDeepEqual(find(text), [], text);
  }
});

function findCommerceWords({ path, text }: Source): string[] {
  return text.split('\n').flatMap((line, index) => {
    const own = line.replace(/ from '@aisle\/contract[^']*'/, '');
    const words = own.match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
    const found = words.filter((word) => commerceWords.has(word));
    // "order" and "store" also have other meanings, so they count only where they are nouns for an order or a store.
    const nouns = own.match(
      /\border(?:Id|_id|s_)|\b(?:an|each|every|this|one|of the|for the) (?:order|store)\b(?! of\b)|\ba store\b/g,
    );
    return [...found, ...(nouns ?? [])].map((word) => `${path}:${index + 1} contains "${word}"`);
  });
}
