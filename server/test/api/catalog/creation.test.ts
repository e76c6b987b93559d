import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Response, makeChain } from '../../support/aisle.ts';
import { catalogPath, readLog, readOffers, readProduct } from '../../support/catalog.ts';
import { product, startCreationTests } from '../../support/creation.ts';

const { aisle, chain, store, otherStore, create, vendorsOf } = await startCreationTests();
const reasons = (job: Response['body']) =>
  job.result.item_level_feedback.map((item: Response['body']) => [
    item.sku,
    item.vendor_id,
    item.rejection_reasons[0].rejected_reason,
  ]);

test('a product is created in the given stores with all of its fields', async () => {
  const job = await create({
    vendors: [store],
    products: [
      {
        sku: 'FULL',
        title: { en_AE: 'Full fat milk', ar_AE: 'حليب كامل الدسم' },
        description: { en_AE: 'Fresh' },
        price: 6.2559,
        barcodes: ['111', '222', '111'],
        categories: ['milk', 'dairy'],
        images: ['https://pictures.test/milk.jpg'],
        active: false,
        quantity: 12,
        maximum_sales_quantity: 4,
        is_sold_by_weight: true,
        weight_specifications: { base_weight: 0.5, average_weight_per_piece: 0.1239, minimum_starting_weight: 0 },
        unknown_field: 'ignored',
      },
    ],
  });
  assert.equal(job.job_status, 'COMPLETED');
  assert.equal(job.job_type, 'PRODUCT_CREATION');
  assert.equal(job.vendor_id, undefined);
  assert.deepEqual(job.progress, { total: 1, processed: 1, succeeded: 1, unchanged: 0, failed: 0 });
  const { remote_product_id, updated_at, ...created } = await readProduct(aisle, chain, 'FULL');
  assert.match(remote_product_id, /^[0-9a-f-]{36}$/);
  assert.match(updated_at, /Z$/);
  const category = (global_id: string) => ({
    global_id,
    details: { name: { en_AE: global_id.toUpperCase() }, description: {} },
    active: true,
  });
  assert.deepEqual(created, {
    sku: 'FULL',
    barcodes: ['111', '222'],
    title: 'Full fat milk',
    description: 'Fresh',
    translations: { en_AE: 'Full fat milk', ar_AE: 'حليب كامل الدسم' },
    descriptions: { en_AE: 'Fresh' },
    images: ['https://pictures.test/milk.jpg'],
    price: 6.255,
    currency: 'AED',
    status: 'INACTIVE',
    active: false,
    available: false,
    quantity: 12,
    maximum_sales_quantity: 4,
    is_sold_by_weight: true,
    weight_specifications: { base_weight: 0.5, average_weight_per_piece: 0.123, minimum_starting_weight: 0 },
    category: 'MILK',
    categories: [category('milk'), category('dairy')],
  });
  assert.deepEqual(await vendorsOf('FULL'), [store]);
});

test('only SKU, title and price are required', async () => {
  await create({ vendors: [store], products: [{ sku: 'MINIMAL', title: { en_AE: 'Minimal' }, price: 0 }] });
  const { remote_product_id: _, updated_at: _updated, ...created } = await readProduct(aisle, chain, 'MINIMAL');
  assert.deepEqual(created, {
    sku: 'MINIMAL',
    barcodes: [],
    title: 'Minimal',
    description: null,
    translations: { en_AE: 'Minimal' },
    descriptions: {},
    images: [],
    price: 0,
    currency: 'AED',
    status: 'ACTIVE',
    active: true,
    available: true,
    quantity: null,
    maximum_sales_quantity: null,
    is_sold_by_weight: false,
    category: null,
    categories: [],
  });
});

test('null means absent, and the aliases barcode and max_sales_quantity are accepted', async () => {
  const nulls = { description: null, barcodes: null, categories: null, images: null, active: null, quantity: null };
  const more = { is_sold_by_weight: null, weight_specifications: null, maximum_sales_quantity: null };
  await create({ vendors: [store], products: [product('NULLS', { ...nulls, ...more, barcode: '333' })] });
  const created = await readProduct(aisle, chain, 'NULLS');
  assert.deepEqual([created.barcodes, created.active, created.maximum_sales_quantity], [['333'], true, null]);
  await create({ vendors: [store], products: [product('OTHER-NAME', { max_sales_quantity: 7 })] });
  assert.equal((await readProduct(aisle, chain, 'OTHER-NAME')).maximum_sales_quantity, 7);
});

test('`*`, alone or in a list, means all stores in this chain and in no other', async () => {
  const stranger = await makeChain(aisle);
  for (const [index, vendors] of ['*', ['*']].entries()) {
    const job = await create({ vendors, products: [product(`ALL-${index}`)] });
    assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 2, unchanged: 0, failed: 0 });
    assert.deepEqual(await vendorsOf(`ALL-${index}`), [store, otherStore].toSorted());
  }
  const others = await aisle.db.query('select 1 from offers where chain_id = $1', [stranger.chainId]);
  assert.deepEqual(others, []);
});

test('a creation request to a store’s path applies to that store, regardless of `vendors`', async () => {
  const path = catalogPath(chain, otherStore);
  const job = await create({ products: [product('STORE-1')] }, path);
  assert.equal(job.vendor_id, otherStore);
  assert.deepEqual(await vendorsOf('STORE-1'), [otherStore]);
  for (const [index, vendors] of [[store], '*', null, [], 'junk', 7].entries()) {
    const sku = `STORE-${index + 2}`;
    assert.equal((await create({ vendors, products: [product(sku)] }, path)).vendor_id, otherStore);
    assert.deepEqual(await vendorsOf(sku), [otherStore]);
  }
});

test('a vendor listed by both its id and its external id is counted once', async () => {
  const job = await create({ vendors: ['ext-1', store, 'ext-1'], products: [product('TWICE')] });
  assert.deepEqual(job.progress, { total: 1, processed: 1, succeeded: 1, unchanged: 0, failed: 0 });
  assert.deepEqual(await vendorsOf('TWICE'), [store]);
  assert.deepEqual((await readLog(aisle, chain, job.job_id)).slice(1), [`TWICE,,CREATED,,1,,${store}`]);
});

test('items for an unknown vendor fail with its id in the feedback and do not affect other vendors', async () => {
  const job = await create({ vendors: [store, 'nope'], products: [product('HALF-1'), product('HALF-2')] });
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual(job.progress, { total: 4, processed: 4, succeeded: 2, unchanged: 0, failed: 2 });
  assert.deepEqual(reasons(job), [
    ['HALF-1', 'nope', 'The chain has no vendor nope.'],
    ['HALF-2', 'nope', 'The chain has no vendor nope.'],
  ]);
  assert.equal(job.result.item_level_feedback[0].rejection_reasons[0].rejected_data, 'nope');
  assert.equal(job.result.item_level_feedback[0].code, 'vendor_not_found');
  assert.deepEqual(await vendorsOf('HALF-1'), [store]);
  const stranger = await makeChain(aisle);
  const failed = await create({ vendors: ['nope', stranger.vendors[0]], products: [product('NEVER')] });
  assert.deepEqual([failed.job_status, failed.progress.failed], ['FAILED', 2]);
  assert.deepEqual(await vendorsOf('NEVER'), []);
  assert.deepEqual(await aisle.db.query(`select 1 from products where sku = 'NEVER'`), []);
});

test('a product with an unknown category fails without affecting the others', async () => {
  const job = await create({
    vendors: '*',
    products: [
      product('SORTED', { categories: ['dairy'] }),
      product('UNSORTED', { categories: ['dairy', 'cheese'] }),
      product('PLAIN', { categories: [] }),
    ],
  });
  assert.deepEqual(job.progress, { total: 6, processed: 6, succeeded: 4, unchanged: 0, failed: 2 });
  assert.deepEqual(
    reasons(job),
    [store, otherStore]
      .toSorted()
      .map((vendor) => ['UNSORTED', vendor, 'categories must contain only global ids of categories in the chain.']),
  );
  assert.deepEqual(await vendorsOf('UNSORTED'), []);
  assert.deepEqual(await vendorsOf('PLAIN'), [store, otherStore].toSorted());
});

test('a product created with both `barcode` and `barcodes` has all of those barcodes', async () => {
  await create({
    vendors: [store],
    products: [{ ...product('CODES'), barcode: '901', barcodes: ['902', '901', '903'] }],
  });
  assert.deepEqual((await readProduct(aisle, chain, 'CODES')).barcodes, ['901', '902', '903']);
});

test('an invalid product does not affect the products around it', async () => {
  const bad: [Record<string, unknown>, string][] = [
    [{ sku: '' }, 'bad_length'],
    [{ sku: undefined }, 'missing'],
    [{ title: undefined }, 'missing'],
    [{ title: '' }, 'bad_format'],
    [{ title: {} }, 'bad_format'],
    [{ title: { english: 'x' } }, 'bad_format'],
    [{ title: { en_AE: 5 } }, 'bad_format'],
    [{ title: ['x'] }, 'bad_format'],
    [{ price: undefined }, 'missing'],
    [{ price: '1' }, 'wrong_type'],
    [{ price: -1 }, 'out_of_range'],
    [{ price: 0.0004 }, 'out_of_range'],
    [{ sku: ' PADDED' }, 'bad_format'],
    [{ sku: 'PADDED ' }, 'bad_format'],
    [{ description: 5 }, 'bad_format'],
    [{ barcode: 'abc' }, 'bad_format'],
    [{ barcodes: '123' }, 'bad_format'],
    [{ barcodes: ['1', 2] }, 'bad_format'],
    [{ categories: 'dairy' }, 'bad_format'],
    [{ images: ['http://plain.test/a.jpg'] }, 'bad_format'],
    [{ images: ['https://'] }, 'bad_format'],
    [{ images: ['javascript:alert(1)'] }, 'bad_format'],
    [{ active: 'yes' }, 'wrong_type'],
    [{ quantity: 1.5 }, 'not_whole'],
    [{ maximum_sales_quantity: -1 }, 'out_of_range'],
    [{ is_sold_by_weight: 1 }, 'wrong_type'],
    [{ weight_specifications: { base_weight: 'heavy' } }, 'bad_format'],
    [{ weight_specifications: [] }, 'bad_format'],
  ];
  const products = bad.map(([fields], index) => ({ ...product(`BAD-${index}`), ...fields }));
  const job = await create({ vendors: [store], products: [product('GOOD-1'), ...products, product('GOOD-2')] });
  assert.deepEqual(job.progress, {
    total: bad.length + 2,
    processed: bad.length + 2,
    succeeded: 2,
    unchanged: 0,
    failed: bad.length,
  });
  const log = await readLog(aisle, chain, job.job_id);
  assert.deepEqual(
    log.slice(2, -1).map((line) => line.split(',').slice(1, 3)),
    bad.map(([, code]) => [code, 'FAILED']),
  );
  assert.equal((await readProduct(aisle, chain, 'GOOD-2')).price, 2.5);
});

test('a SKU that the store already has is left unchanged and reported as a duplicate', async () => {
  await create({ vendors: [store], products: [product('KEPT', { price: 1, quantity: 1 })] });
  const stored = await readOffers(aisle, chain);
  const job = await create({ vendors: [store], products: [product('KEPT', { price: 9, barcode: '999' })] });
  assert.equal(job.job_status, 'COMPLETED');
  assert.deepEqual(job.progress, { total: 1, processed: 1, succeeded: 0, unchanged: 1, failed: 0 });
  assert.deepEqual(job.result.duplicated_products, ['KEPT']);
  assert.deepEqual(job.result.item_level_feedback, []);
  assert.deepEqual((await readLog(aisle, chain, job.job_id)).slice(1), [
    `KEPT,already_exists,DUPLICATED,"The vendor already has this SKU; the product was not changed.",1,999,${store}`,
  ]);
  assert.deepEqual(await readOffers(aisle, chain), stored);
});

test('a SKU that the chain already has keeps its product data, and only the offer is created', async () => {
  await create({ vendors: [store], products: [product('SHARED', { barcode: '1', categories: ['dairy'] })] });
  const other = {
    title: { en_AE: 'Another title' },
    price: 9,
    barcode: '2',
    categories: ['milk'],
    is_sold_by_weight: true,
  };
  const job = await create({ vendors: '*', products: [{ sku: 'SHARED', ...other, quantity: 3 }] });
  assert.deepEqual(job.progress, { total: 2, processed: 2, succeeded: 1, unchanged: 1, failed: 0 });
  assert.deepEqual(job.result.duplicated_products, ['SHARED']);
  const [first, second] = [
    await readProduct(aisle, chain, 'SHARED', store),
    await readProduct(aisle, chain, 'SHARED', otherStore),
  ];
  assert.deepEqual([first.price, first.quantity, second.price, second.quantity], [2.5, null, 9, 3]);
  for (const field of ['title', 'barcodes', 'categories', 'is_sold_by_weight', 'remote_product_id']) {
    assert.deepEqual(second[field], first[field], field);
  }
  assert.deepEqual([second.title, second.barcodes, second.category], ['Title of SHARED', ['1'], 'DAIRY']);
});

test('a SKU repeated in a request is created once, from its first valid product', async () => {
  const job = await create({
    vendors: '*',
    products: [product('AGAIN', { price: -1 }), product('AGAIN', { price: 1 }), product('AGAIN', { price: 2 })],
  });
  assert.deepEqual(job.progress, { total: 6, processed: 6, succeeded: 2, unchanged: 2, failed: 2 });
  assert.deepEqual(job.result.duplicated_products, ['AGAIN']);
  assert.equal((await readProduct(aisle, chain, 'AGAIN')).price, 1);
  const log = await readLog(aisle, chain, job.job_id);
  assert.ok(log.includes(`AGAIN,given_again,DUPLICATED,"The SKU already appears in row 2.",3,,${store}`));
});

test('a title given as a string is stored under the vendor’s locale', async () => {
  const arabic = { name: 'Arabic', currency: 'KWD', country_code: 'KW', locale: 'ar_KW', timezone: 'Asia/Kuwait' };
  const vendors = `/platform/v1/chains/${chain.chainId}/vendors`;
  const response = await aisle.call('POST', vendors, {
    token: aisle.platformToken,
    body: { ...arabic, transport_type: 'LOGISTICS_DELIVERY' },
  });
  assert.equal(response.status, 201, response.text);
  const { vendor_id } = response.body;
  const body = { products: [{ sku: 'TEXT', title: 'لبن', description: 'طازج', price: 1.2345 }] };
  await create(body, catalogPath(chain, vendor_id));
  const created = await readProduct(aisle, chain, 'TEXT', vendor_id);
  assert.deepEqual(created.translations, { ar_KW: 'لبن' });
  assert.deepEqual(created.descriptions, { ar_KW: 'طازج' });
  assert.deepEqual([created.title, created.price, created.currency], ['لبن', 1.234, 'KWD']);
  await create({ vendors: [vendor_id], products: [{ sku: 'TEXT-2', title: 'خبز', description: {}, price: 1 }] });
  const second = await readProduct(aisle, chain, 'TEXT-2', vendor_id);
  assert.deepEqual([second.translations, second.descriptions], [{ ar_KW: 'خبز' }, {}]);
});

test('special characters are returned unchanged', async () => {
  const text = 'Tab\there, "quotes", back\\slash \\N, {braces}, two\nlines, ünïcödé 🥛, حليب';
  const sku = '{"a\\b",\t\'c\'}';
  const image = 'https://pictures.test/a%20b.jpg?x="1",{2}\\3';
  await create({
    vendors: [store],
    products: [product(sku, { title: { en_AE: text }, description: { en_AE: text }, images: [image, `${image}&4`] })],
  });
  const created = await readProduct(aisle, chain, sku);
  assert.deepEqual(
    [created.sku, created.title, created.description, created.images],
    [sku, text, text, [image, `${image}&4`]],
  );
});
