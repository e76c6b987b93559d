import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { demoCategories } from './categories.ts';
import { drawPicture, pictureFor } from './picture.ts';
import { minorDigits, shelfPrice } from './pricing.ts';
import { demoOffer } from './offers.ts';
import { type DemoProduct, demoProducts } from './products.ts';
import { demoPromotions } from './promotions.ts';
import { readSize } from './ranges/sizes.ts';
import { demoChain, demoStores } from './stores.ts';

const products = demoProducts();
const offers = demoStores.flatMap((store) => products.map((product) => ({ store, offer: demoOffer(product, store) })));

test('the chain has stores with two currencies, and at least one store delivers its own orders', () => {
  assert.equal(demoChain.profile, 'strict');
  assert.ok(demoStores.length >= 5);
  assert.deepEqual(distinct(demoStores.map((store) => store.currency)), ['AED', 'KWD']);
  assert.ok(demoStores.some((store) => store.transport_type === 'VENDOR_DELIVERY'));
  assert.ok(demoStores.filter((store) => store.transport_type === 'LOGISTICS_DELIVERY').length > demoStores.length / 2);
});

test('every store has a short id and a unique store number', () => {
  for (const store of demoStores) assert.match(store.vendor_id, /^[0-9a-z]{4}$/);
  assertUnique(demoStores.map((store) => store.vendor_id));
  assertUnique(demoStores.map((store) => store.external_id));
});

test('every category is listed after its parent', () => {
  const seen = new Set<string>();
  for (const category of demoCategories) {
    if (category.parent_global_id !== null) assert.ok(seen.has(category.parent_global_id), category.global_id);
    seen.add(category.global_id);
  }
  assert.equal(seen.size, demoCategories.length);
});

test('every category has an English and an Arabic name', () => {
  for (const category of demoCategories) assertTranslated(category.name);
  assertUnique(demoCategories.map((category) => category.name.en_AE));
  assertUnique(demoCategories.map((category) => category.name.ar_AE));
});

test('there are about two thousand products', () => {
  assert.ok(products.length > 1900 && products.length < 2200, String(products.length));
});

test('no two products share a SKU, a barcode or a title', () => {
  assertUnique(products.map((product) => product.sku));
  assertUnique(products.map((product) => product.barcode));
  assertUnique(products.map((product) => product.title.en_AE));
  assertUnique(products.map((product) => product.title.ar_AE));
});

test('every product has a title and a description in both languages', () => {
  for (const product of products) {
    assertTranslated(product.title);
    assertTranslated(product.description);
  }
});

test('every barcode is an in-store EAN-13 with a valid check digit', () => {
  for (const { barcode } of products) {
    assert.match(barcode, /^2\d{12}$/);
    const weighted = [...barcode].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
    assert.equal(weighted % 10, 0, barcode);
  }
});

test('every product belongs to an existing, active category without children', () => {
  const parents = new Set(demoCategories.map((category) => category.parent_global_id));
  const leaves = new Set(demoCategories.filter((c) => c.active && !parents.has(c.global_id)).map((c) => c.global_id));
  for (const product of products) assert.ok(leaves.has(product.categories[0]), product.categories[0]);
  assert.deepEqual(distinct(products.map((product) => product.categories[0])), [...leaves].toSorted());
});

test('about 4% of products are inactive', () => {
  const share = products.filter((product) => !product.active).length / products.length;
  assert.ok(share > 0.03 && share < 0.05, String(share));
});

test('only products sold by weight have weight specifications', () => {
  const weighed = products.filter((product) => product.is_sold_by_weight);
  assert.ok(weighed.length >= 100, String(weighed.length));
  for (const product of products) {
    const weights = product.weight_specifications;
    assert.equal(weights !== undefined, product.is_sold_by_weight, product.sku);
    if (!weights) continue;
    assert.ok(weights.base_weight > 0 && weights.average_weight_per_piece > 0, product.sku);
    assert.ok(weights.minimum_starting_weight >= weights.base_weight, product.sku);
  }
});

test('quantities and limits are either whole numbers or unknown', () => {
  for (const { quantity, maximum_sales_quantity: limit } of [...products, ...carried(offers)]) {
    assert.ok(quantity === null || (Number.isInteger(quantity) && quantity >= 0));
    assert.ok(limit === null || (Number.isInteger(limit) && limit > 0));
  }
});

test('a larger pack of the same product costs more, roughly in proportion to its size', () => {
  const families = Map.groupBy(packs(products), ({ product, family }) => `${product.categories[0]} ${family}`);
  let compared = 0;
  for (const sizes of families.values()) {
    const ordered = sizes.toSorted((one, other) => one.amount - other.amount);
    for (const [i, larger] of ordered.entries()) {
      const smaller = ordered[i - 1];
      if (!smaller || smaller.product.picture.kind !== larger.product.picture.kind) continue;
      assert.ok(larger.product.priceAED > smaller.product.priceAED, larger.product.sku);
      const saving = smaller.product.priceAED / smaller.amount / (larger.product.priceAED / larger.amount);
      assert.ok(saving > 0.9, `${smaller.product.sku} ${larger.product.sku} ${saving}`);
      compared++;
    }
  }
  assert.ok(compared > 300, String(compared));
});

test('prices are positive and have no more decimal places than their currency', () => {
  for (const product of products) assertDigits(product.priceAED, 2);
  for (const { store, offer } of offers) if (offer) assertDigits(offer.price, minorDigits[store.currency]);
});

test('a higher amount never results in a lower shelf price', () => {
  for (const currency of ['AED', 'KWD'] as const) {
    let last = 0;
    for (let fils = 10; fils < 30_000; fils += 7) {
      const price = shelfPrice(fils / 100, currency);
      assert.ok(price >= last, `${currency} ${fils}`);
      last = price;
    }
  }
});

test('each store carries about 90% of the products, and no two stores have the same assortment', () => {
  for (const store of demoStores) {
    const share = products.filter((product) => demoOffer(product, store)).length / products.length;
    assert.ok(share > 0.9 && share < 0.94, `${store.name} ${share}`);
  }
  const carried = demoStores.map((store) => products.map((product) => demoOffer(product, store) !== null).join());
  assertUnique(carried);
});

test('the same product has different prices in different stores', () => {
  const dirhamStores = demoStores.filter((store) => store.currency === 'AED');
  const differing = products.filter((product) => {
    const prices = dirhamStores.flatMap((store) => demoOffer(product, store)?.price ?? []);
    return distinct(prices.map(String)).length > 1;
  });
  assert.ok(differing.length > products.length / 10, String(differing.length));
});

test('no store sells a product that is inactive in the chain', () => {
  for (const product of products.filter((p) => !p.active)) {
    for (const store of demoStores) assert.notEqual(demoOffer(product, store)?.active, true, product.sku);
  }
});

test('repeated calls return the same products, offers and images', () => {
  const digest = () => {
    const made = demoProducts();
    const sold = demoStores.map((store) => made.map((product) => demoOffer(product, store)));
    return createHash('sha256')
      .update(JSON.stringify([made, sold, made.map(drawPicture)]))
      .digest('hex');
  };
  assert.equal(digest(), digest());
});

test('every image is a small, well-formed and self-contained SVG', () => {
  for (const product of products) {
    const svg = drawPicture(product);
    assert.ok(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" ') && svg.endsWith('</svg>'), product.sku);
    assert.ok(Buffer.byteLength(svg) < 4096, `${product.sku} ${Buffer.byteLength(svg)}`);
    assert.doesNotMatch(svg, /undefined|NaN|Infinity|null|<script|href|url\(|&(?!amp;|lt;|gt;|quot;)/, product.sku);
    assertBalanced(svg);
  }
});

test('an image can be looked up by SKU', () => {
  const [product] = products;
  assert.ok(product);
  assert.equal(pictureFor(product.sku), drawPicture(product));
  assert.equal(pictureFor('no such product'), null);
});

test('label text is escaped in the SVG', () => {
  const [product] = products;
  assert.ok(product);
  const name = '<script>"&</script>';
  const svg = drawPicture({
    sku: 'X',
    title: { en_AE: name, ar_AE: name },
    picture: { ...product.picture, name, brand: name, size: name },
  });
  assert.doesNotMatch(svg, /<script/);
  assertBalanced(svg);
});

test('a size is parsed into its amount and formatted in both languages', () => {
  assert.deepEqual(readSize('1.5 L'), { en: '1.5 L', ar: '1.5 لتر', amount: 1500 });
  assert.deepEqual(readSize('6 x 330 ml'), { en: '6 × 330 ml', ar: '330 مل × 6', amount: 1980 });
  assert.deepEqual(readSize('6 eggs'), { en: '6 pieces', ar: '6 بيضات', amount: 6 });
  assert.deepEqual(readSize('30 eggs'), { en: '30 pieces', ar: '30 بيضة', amount: 30 });
  assert.throws(() => readSize('a handful'), /Not a size/);
});

test('the promotions refer to existing products, cover every state, and include a bundle', () => {
  for (const { name, families, fromDay, untilDay } of demoPromotions) {
    assertTranslated(name);
    assert.ok(fromDay < untilDay);
    for (const family of families)
      assert.ok(
        products.some(({ sku }) => sku.startsWith(`${family}-`)),
        family,
      );
  }
  const states = demoPromotions.map(({ isCancelled, fromDay, untilDay }) =>
    isCancelled ? 'CANCELLED' : fromDay > 0 ? 'UPCOMING' : untilDay > 0 ? 'RUNNING' : 'ENDED',
  );
  assert.deepEqual(distinct(states), ['CANCELLED', 'ENDED', 'RUNNING', 'UPCOMING']);
  assert.ok(demoPromotions.some(({ type }) => type === 'SAME_ITEM_BUNDLE'));
});

/** Packaged goods, with the amount parsed from the end of the title. The rest of the title is the product family. */
function packs(all: readonly DemoProduct[]) {
  return all.flatMap((product) => {
    const { size } = product.picture;
    const amount = /^(?:(\d+) × )?([\d.]+) (L|kg|ml|g|\w+)$/.exec(size);
    if (product.is_sold_by_weight || !amount || !product.title.en_AE.endsWith(size)) return [];
    const unit = amount[3] === 'L' || amount[3] === 'kg' ? 1000 : 1;
    const total = Number(amount[1] ?? 1) * Number(amount[2]) * unit;
    return [{ product, family: product.title.en_AE.slice(0, -size.length), amount: total }];
  });
}

function carried(all: typeof offers) {
  return all.flatMap(({ offer }) => offer ?? []);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

function assertUnique(values: readonly string[]): void {
  const repeated = values.filter((value, i) => values.indexOf(value) !== i);
  assert.deepEqual(repeated, []);
}

function assertTranslated(text: { en_AE: string; ar_AE: string }): void {
  assert.match(text.en_AE, /[A-Za-z]/);
  assert.doesNotMatch(text.en_AE, /[\u0600-\u06ff]|undefined|NaN| {2}/);
  assert.match(text.ar_AE, /[\u0600-\u06ff]/);
  assert.doesNotMatch(text.ar_AE, /[A-Za-z]| {2}/);
}

function assertDigits(price: number, digits: number): void {
  assert.ok(price > 0, String(price));
  assert.equal(price, Number(price.toFixed(digits)));
}

function assertBalanced(svg: string): void {
  const open: string[] = [];
  for (const [, closing, name = '', empty] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (closing) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
}
