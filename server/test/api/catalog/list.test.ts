import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Response, makeChain, makeToken, type TestAisle, type TestChain, useAisle } from '../../support/aisle.ts';
import { catalogPath, addProducts, plainProducts, putProducts } from '../../support/catalog.ts';

let aisle: TestAisle;
let chain: TestChain;
let store: string;
let otherStore: string;

before(async () => {
  aisle = await useAisle();
  chain = await makeChain(aisle);
  [store, otherStore] = chain.vendors as [string, string];
  const category = (global_id: string, parent_global_id: string | null) => ({
    global_id,
    parent_global_id,
    details: { name: { en_AE: `Name of ${global_id}`, ar_AE: `اسم ${global_id}` }, description: { en_AE: 'About' } },
  });
  const categories = [
    category('food', null),
    category('dairy', 'food'),
    category('milk', 'dairy'),
    category('bread', 'food'),
    category('household', null),
  ];
  const path = `/platform/v1/chains/${chain.chainId}/categories`;
  assert.equal((await aisle.call('PUT', path, { token: aisle.platformToken, body: { categories } })).status, 200);
  await addProducts(aisle, chain, products, [store]);
  await addProducts(aisle, chain, [{ sku: 'ELSEWHERE', title: 'Milk elsewhere', price: 1 }], [otherStore]);
  await addProducts(aisle, await makeChain(aisle), [{ sku: 'STRANGE', title: 'Milk of a stranger', price: 1 }]);
});

const products = [
  {
    sku: 'MLK-1',
    title: { en_AE: 'Full Fat MILK', ar_AE: 'حليب كامل الدسم' },
    description: { en_AE: 'Fresh', ar_AE: 'طازج' },
    price: 6.25,
    barcodes: ['4001000000017', '9990000000011'],
    categories: ['milk'],
    images: ['https://pictures.test/1.jpg'],
    quantity: 5,
  },
  { sku: 'MLK-2', title: { en_SG: 'Oat drink', fr_FR: 'Boisson à l’AVOINE' }, price: 9, categories: ['milk', 'bread'] },
  { sku: 'mlk-3', title: { de_DE: 'Große ÄPFEL' }, price: 1, active: false, categories: ['dairy'] },
  { sku: 'BRD-100%', title: { en_AE: '100% rye_bread' }, price: 2, categories: ['bread'], barcode: '5001' },
  { sku: 'BRD_1000', title: { en_AE: '1000 rolls, ryeXbread' }, price: 2, active: false, categories: ['bread'] },
  { sku: 'BRD\\1', title: { en_AE: 'back\\slash' }, price: 2 },
  { sku: 'HSE-1', title: { el_GR: 'ΑΣΠΡΟΣ ΟΙΚΟΣ', tr_TR: 'ISPANAK İNCİR' }, price: 2, categories: ['household'] },
  { sku: 'حليب-1', title: { ar_AE: 'لبن' }, price: 3 },
  { sku: 'ÄPFEL-1', title: { ru_RU: 'Молоко' }, price: 3 },
];
const bySku = products.map(({ sku }) => sku).toSorted();

async function list(query: Record<string, string> | [string, string][] = {}): Promise<Response['body']> {
  const path = `${catalogPath(chain)}?${new URLSearchParams(query).toString()}`;
  const { status, text, body } = await aisle.call('GET', path, { token: chain.token });
  assert.equal(status, 200, text);
  return body;
}

const skusOf = (body: Response['body']): string[] => body.products.map((product: { sku: string }) => product.sku);
const search = async (term: string) => skusOf(await list({ query_term: term }));

test('the list returns one page of the store’s products, sorted by SKU', async () => {
  const body = await list();
  assert.deepEqual(skusOf(body), bySku);
  const { products: _, ...page } = body;
  assert.deepEqual(page, { page_number: 1, page_size: 20, total_pages: 1, total_items: products.length });
});

test('a product has all of its fields, with null for unknown values', async () => {
  const [first] = (await list({ query_term: 'MLK-1' })).products;
  const { remote_product_id, updated_at, ...shown } = first;
  assert.match(remote_product_id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(shown, {
    sku: 'MLK-1',
    barcodes: ['4001000000017', '9990000000011'],
    title: 'Full Fat MILK',
    description: 'Fresh',
    translations: { en_AE: 'Full Fat MILK', ar_AE: 'حليب كامل الدسم' },
    descriptions: { en_AE: 'Fresh', ar_AE: 'طازج' },
    images: ['https://pictures.test/1.jpg'],
    price: 6.25,
    currency: 'AED',
    status: 'ACTIVE',
    active: true,
    available: true,
    quantity: 5,
    maximum_sales_quantity: null,
    is_sold_by_weight: false,
    category: 'Name of milk',
    categories: [
      {
        global_id: 'milk',
        details: { name: { en_AE: 'Name of milk', ar_AE: 'اسم milk' }, description: { en_AE: 'About' } },
        active: true,
      },
    ],
  });
  const [plain] = (await list({ query_term: 'ÄPFEL-1' })).products;
  for (const field of ['description', 'quantity', 'maximum_sales_quantity', 'category']) {
    assert.equal(plain[field], null, field);
  }
});

test('a search matches any part of a title in any language, ignoring case', async () => {
  const found: [string, string[]][] = [
    ['milk', ['MLK-1']],
    ['FULL FAT', ['MLK-1']],
    ['l fat m', ['MLK-1']],
    ['كامل', ['MLK-1']],
    ['لبن', ['حليب-1']],
    ['avoine', ['MLK-2']],
    ['BOISSON À', ['MLK-2']],
    ['oat', ['MLK-2']],
    ['große äpfel', ['mlk-3']],
    ['ÄPF', ['mlk-3', 'ÄPFEL-1']],
    ['молоко', ['ÄPFEL-1']],
    ['МОЛ', ['ÄPFEL-1']],
    ['ασπρος', ['HSE-1']],
    ['ασπροσ', ['HSE-1']],
    ['ΑΣ', ['HSE-1']],
    ['οίκος', []],
    ['οικος', ['HSE-1']],
    ['İNCİR', ['HSE-1']],
    ['ll', ['BRD_1000', 'MLK-1']],
    ['À', ['MLK-2']],
    ['elsewhere', []],
    ['stranger', []],
    ['nothing like it', []],
  ];
  for (const [term, skus] of found) assert.deepEqual(await search(term), skus, term);
});

test('a search matches SKUs and barcodes by prefix only', async () => {
  const found: [string, string[]][] = [
    ['MLK-', ['MLK-1', 'MLK-2', 'mlk-3']],
    ['mlk-1', ['MLK-1']],
    ['LK-1', []],
    ['حليب-', ['حليب-1']],
    ['4001', ['MLK-1']],
    ['9990000000011', ['MLK-1']],
    ['500', ['BRD-100%']],
    ['0000000011', []],
    ['001', []],
  ];
  for (const [term, skus] of found) assert.deepEqual(await search(term), skus, term);
});

test('percent signs, underscores and backslashes in a search are matched literally', async () => {
  const found: [string, string[]][] = [
    ['100%', ['BRD-100%']],
    ['%', ['BRD-100%']],
    ['rye_b', ['BRD-100%']],
    ['_', ['BRD-100%']],
    ['BRD_', ['BRD_1000']],
    ['BRD-100%', ['BRD-100%']],
    ['\\', ['BRD\\1']],
    ['BRD\\', ['BRD\\1']],
    ['\\%', []],
    ['%%', []],
    ["'", []],
  ];
  for (const [term, skus] of found) assert.deepEqual(await search(term), skus, term);
});

test('a category filter includes descendants and accepts several categories, comma-separated or as repeated parameters', async () => {
  const found: [Record<string, string> | [string, string][], string[]][] = [
    [{ category_global_ids: 'milk' }, ['MLK-1', 'MLK-2']],
    [{ category_global_ids: 'dairy' }, ['MLK-1', 'MLK-2', 'mlk-3']],
    [{ category_global_ids: 'food' }, ['BRD-100%', 'BRD_1000', 'MLK-1', 'MLK-2', 'mlk-3']],
    [{ category_global_ids: 'milk,household' }, ['HSE-1', 'MLK-1', 'MLK-2']],
    [{ category_global_ids: ' milk , household ,' }, ['HSE-1', 'MLK-1', 'MLK-2']],
    [
      [
        ['category_global_ids', 'milk'],
        ['category_global_ids', 'household'],
      ],
      ['HSE-1', 'MLK-1', 'MLK-2'],
    ],
    [
      [
        ['category_global_ids', 'milk,bread'],
        ['category_global_ids', 'household'],
      ],
      ['BRD-100%', 'BRD_1000', 'HSE-1', 'MLK-1', 'MLK-2'],
    ],
    [{ category_global_ids: 'nope' }, []],
    [{ category_global_ids: 'nope,household' }, ['HSE-1']],
    [{ category_global_ids: '' }, bySku],
    [{ category_global_ids: 'food', query_term: 'mlk' }, ['MLK-1', 'MLK-2', 'mlk-3']],
    [{ category_global_ids: 'food', is_active: 'false' }, ['BRD_1000', 'mlk-3']],
    [{ category_global_ids: 'dairy', query_term: 'MLK', is_active: 'true' }, ['MLK-1', 'MLK-2']],
  ];
  for (const [query, skus] of found) assert.deepEqual(skusOf(await list(query)), skus, JSON.stringify(query));
});

test('the list can be filtered to show only active or only inactive products', async () => {
  assert.deepEqual(skusOf(await list({ is_active: 'false' })), ['BRD_1000', 'mlk-3']);
  const active = skusOf(await list({ is_active: 'true' }));
  assert.deepEqual(
    active,
    bySku.filter((sku) => sku !== 'BRD_1000' && sku !== 'mlk-3'),
  );
  assert.deepEqual(skusOf(await list({ is_active: '' })), bySku);
  const [inactive] = (await list({ is_active: 'FALSE' })).products;
  assert.deepEqual([inactive.status, inactive.active, inactive.available], ['INACTIVE', false, false]);
});

test('text is in the requested locale, or else in the same language, the vendor’s locale or any language', async () => {
  const titleOf = async (sku: string, locale?: string) => {
    const body = await list({ query_term: sku, ...(locale && { locale }) });
    return body.products.find((product: { sku: string }) => product.sku === sku);
  };
  const cases: [string, string | undefined, string | null, string | null][] = [
    ['MLK-1', undefined, 'Full Fat MILK', 'Fresh'],
    ['MLK-1', 'ar_AE', 'حليب كامل الدسم', 'طازج'],
    ['MLK-1', 'ar_KW', 'حليب كامل الدسم', 'طازج'],
    ['MLK-1', 'en_SG', 'Full Fat MILK', 'Fresh'],
    ['MLK-1', 'fr_FR', 'Full Fat MILK', 'Fresh'],
    ['MLK-2', 'fr_CH', 'Boisson à l’AVOINE', null],
    ['MLK-2', undefined, 'Oat drink', null],
    ['MLK-2', 'ar_AE', 'Oat drink', null],
    ['mlk-3', 'en_AE', 'Große ÄPFEL', null],
  ];
  for (const [sku, locale, title, description] of cases) {
    const product = await titleOf(sku, locale);
    assert.deepEqual([product.title, product.description], [title, description], `${sku} ${locale}`);
  }
  assert.equal((await titleOf('MLK-1', 'ar_KW')).category, 'اسم milk');
});

test('pages cover the list without gaps, and a page past the end is empty', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page: String(page), page_size: '4' })));
  assert.deepEqual(pages.flatMap(skusOf), bySku);
  assert.deepEqual(
    pages.map((page) => page.products.length),
    [4, 4, 1, 0],
  );
  const { products: none, ...past } = pages[3];
  assert.deepEqual(none, []);
  assert.deepEqual(past, { page_number: 4, page_size: 4, total_pages: 3, total_items: 9 });
  const searched = await list({ query_term: 'mlk', page: '2', page_size: '2' });
  assert.deepEqual(skusOf(searched), ['mlk-3']);
  assert.deepEqual([searched.total_pages, searched.total_items], [2, 3]);
  assert.deepEqual(skusOf(await list({ page: '1000000000', page_size: '500' })), []);
  assert.deepEqual(skusOf(await list({ page: '', page_size: '', unknown: 'x' })), bySku);
});

test('a page has 20 products by default and at most 500', async () => {
  const large = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, large, plainProducts(505));
  const read = async (query: string) =>
    (await aisle.call('GET', `${catalogPath(large)}${query}`, { token: large.token })).body;
  const byDefault = await read('');
  assert.deepEqual([byDefault.products.length, byDefault.total_pages, byDefault.total_items], [20, 26, 505]);
  const largest = await read('?page_size=500&page=2');
  assert.deepEqual([largest.products.length, largest.products[0].sku, largest.total_pages], [5, 'SKU-00501', 2]);
});

test('an invalid query is rejected, and the error contains the name of the parameter', async () => {
  const bad: [string, string][] = [
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=x', 'page'],
    ['page=1.5', 'page'],
    ['page_size=0', 'page_size'],
    ['page_size=501', 'page_size'],
    ['is_active=maybe', 'is_active'],
    ['is_active=1', 'is_active'],
    ['locale=english', 'locale'],
    ['query_term=%00', 'query_term'],
    ['query_term=a&query_term=b', 'query_term'],
  ];
  for (const [query, name] of bad) {
    const { status, body } = await aisle.call('GET', `${catalogPath(chain)}?${query}`, { token: chain.token });
    assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, 'invalid_request', name], query);
  }
});

test('the list requires catalog:read for the store', async () => {
  const writer = await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'] });
  const elsewhere = await makeToken(aisle, chain.chainId, { vendor_ids: [otherStore] });
  const stranger = await makeChain(aisle);
  const cases: [string | undefined, string, number, string][] = [
    [undefined, store, 401, 'invalid_token'],
    [writer, store, 403, 'forbidden'],
    [elsewhere, store, 403, 'forbidden'],
    [stranger.token, store, 404, 'chain_not_found'],
    [chain.token, stranger.vendors[0] as string, 404, 'vendor_not_found'],
    [chain.token, 'nope', 404, 'vendor_not_found'],
  ];
  for (const [token, vendor, status, code] of cases) {
    const response = await aisle.call('GET', catalogPath(chain, vendor), { token });
    assert.deepEqual([response.status, response.body.code], [status, code]);
  }
  const own = await aisle.call('GET', catalogPath(chain, 'ext-2'), { token: elsewhere });
  assert.deepEqual(skusOf(own.body), ['ELSEWHERE']);
});

test('a search finds a changed barcode and no longer finds the old one', async () => {
  assert.equal((await putProducts(aisle, chain, [{ sku: 'HSE-1', barcode: '7001' }])).status, 200);
  assert.deepEqual(await search('7001'), ['HSE-1']);
  assert.equal((await putProducts(aisle, chain, [{ sku: 'HSE-1', barcode: '7002' }])).status, 200);
  assert.deepEqual([await search('7001'), await search('7002')], [[], ['HSE-1']]);
});
