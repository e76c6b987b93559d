import { packBarcode, scaleBarcode } from './barcodes.ts';
import type { Translated } from './categories.ts';
import { counterShelves } from './fresh/counters.ts';
import { produceShelves } from './fresh/produce.ts';
import type { CountedItem, Shelf, WeighedItem } from './fresh/shelf.ts';
import type { Picture } from './pictures/kinds.ts';
import { scaleToSize, shelfPrice } from './pricing.ts';
import { bakeryRanges } from './ranges/bakery.ts';
import { type Brand, type BrandId, brands } from './ranges/brands.ts';
import { careRanges } from './ranges/care.ts';
import { cheeseRanges } from './ranges/cheese.ts';
import { cupboardRanges } from './ranges/cupboard.ts';
import { dairyRanges } from './ranges/dairy.ts';
import { drinkRanges } from './ranges/drinks.ts';
import { familyRanges } from './ranges/family.ts';
import { frozenRanges } from './ranges/frozen.ts';
import { householdRanges } from './ranges/household.ts';
import { meatRanges } from './ranges/meat.ts';
import type { Range, Variety } from './ranges/range.ts';
import { readSize } from './ranges/sizes.ts';
import { snackRanges } from './ranges/snacks.ts';
import { stapleRanges } from './ranges/staples.ts';
import { chance, integerBetween } from './chance.ts';

export type DemoProduct = {
  sku: string;
  title: Translated;
  description: Translated;
  barcode: string;
  categories: [string];
  is_sold_by_weight: boolean;
  /** The order increment, the average weight of a piece and the minimum order, in kilograms. */
  weight_specifications?: { base_weight: number; average_weight_per_piece: number; minimum_starting_weight: number };
  active: boolean;
  quantity: number | null;
  maximum_sales_quantity: number | null;
  /** The price per unit, or per kilogram if the product is sold by weight. */
  priceAED: number;
  picture: Picture;
};

/** The fields that each kind of product defines. The other fields are derived from the SKU. */
type ProductBase = Omit<DemoProduct, 'active' | 'quantity'>;

const shelves: readonly Shelf[] = [...produceShelves, ...counterShelves];

const ranges: readonly Range[] = [
  ...dairyRanges,
  ...cheeseRanges,
  ...bakeryRanges,
  ...meatRanges,
  ...frozenRanges,
  ...stapleRanges,
  ...cupboardRanges,
  ...snackRanges,
  ...drinkRanges,
  ...householdRanges,
  ...careRanges,
  ...familyRanges,
];

/** The chain's whole assortment. Every call returns the same products. */
export function demoProducts(): DemoProduct[] {
  return [...shelves.flatMap(shelfProducts), ...ranges.flatMap(rangeProducts)].map(withStock);
}

function withStock(product: ProductBase): DemoProduct {
  return {
    ...product,
    active: chance(`active ${product.sku}`) >= 0.04,
    quantity: chance(`counted ${product.sku}`) < 0.08 ? null : integerBetween(0, 120, `stock ${product.sku}`),
  };
}

function shelfProducts(shelf: Shelf, index: number): ProductBase[] {
  const weighed = (shelf.weighed ?? []).map((item, i) => weighedProduct(shelf, item, index * 100 + i + 1, i + 1));
  const counted = (shelf.counted ?? []).map((item, i) => countedProduct(shelf, item, index * 100 + i + 1, 501 + i));
  return [...weighed, ...counted];
}

function weighedProduct(shelf: Shelf, item: WeighedItem, number: number, position: number): ProductBase {
  const [en, ar, price, piece, kind, tone] = item;
  const step = piece >= 1 ? Math.round(piece * 2) / 2 : kind === 'nuts' || kind === 'salami' ? 0.1 : 0.25;
  return {
    sku: skuOf(shelf.prefix, position),
    title: { en_AE: `${en}, per kg`, ar_AE: `${ar}، بالكيلو` },
    description: { en_AE: `${en}, ${shelf.about.en}.`, ar_AE: `${ar}، ${shelf.about.ar}.` },
    barcode: scaleBarcode(number),
    categories: [shelf.category],
    is_sold_by_weight: true,
    weight_specifications: {
      base_weight: step,
      average_weight_per_piece: piece,
      minimum_starting_weight: Math.max(step, roundUpTo(piece, step)),
    },
    maximum_sales_quantity: null,
    priceAED: price,
    picture: { kind, pack: 'caramel', accent: tone, ...nameAndOrigin(en), size: 'per kg' },
  };
}

function countedProduct(shelf: Shelf, item: CountedItem, number: number, position: number): ProductBase {
  const [en, ar, unit, price, kind, tone] = item;
  return {
    sku: skuOf(shelf.prefix, position),
    title: { en_AE: `${en}, ${unit.en}`, ar_AE: `${ar}، ${unit.ar}` },
    description: { en_AE: `${en}, ${shelf.about.en}.`, ar_AE: `${ar}، ${shelf.about.ar}.` },
    barcode: packBarcode(900_000 + number),
    categories: [shelf.category],
    is_sold_by_weight: false,
    maximum_sales_quantity: null,
    priceAED: price,
    picture: { kind, pack: 'caramel', accent: tone, ...nameAndOrigin(en), size: unit.en },
  };
}

function rangeProducts(range: Range, index: number): ProductBase[] {
  const packs = range.brands.flatMap((brand) =>
    range.varieties.flatMap((variety) => {
      const sizes = variety[3]?.sizes ?? range.sizes;
      return sizes.map((size) => ({ brand, variety, size, isCore: brand === range.brands[0] && size === sizes[0] }));
    }),
  );
  return packs
    .map((pack, i) => ({ ...pack, number: i + 1, sku: skuOf(range.prefix, i + 1) }))
    .filter((pack) => pack.isCore || chance(`made ${pack.sku}`) < 0.42)
    .map(({ brand, variety, size, number, sku }) => ({
      ...packProduct(range, brand, variety, size),
      sku,
      barcode: packBarcode(index * 1000 + number),
      maximum_sales_quantity: maxSalesQuantity(range, sku),
    }));
}

function packProduct(range: Range, brandId: BrandId, variety: Variety, sizeText: string) {
  const brand: Brand = brands[brandId];
  const [en, ar, tone, overrides] = variety;
  const size = readSize(sizeText);
  const reference = readSize(range.sizes[0] ?? sizeText);
  const price = scaleToSize(range.price, size.amount / reference.amount) * brand.level * (overrides?.price ?? 1);
  return {
    title: {
      en_AE: `${brand.en} ${en}${endsWithNumber(en) ? ',' : ''} ${size.en}`,
      ar_AE: `${brand.ar} ${ar}${endsWithNumber(ar) ? '،' : ''} ${size.ar}`,
    },
    description: {
      en_AE: `${en} from ${brand.en}, ${range.about.en}.`,
      ar_AE: `${ar} من ${brand.ar}، ${range.about.ar}.`,
    },
    categories: [range.category] as [string],
    is_sold_by_weight: false,
    priceAED: shelfPrice(price, 'AED'),
    picture: {
      kind: overrides?.picture ?? range.picture,
      pack: brand.tone,
      accent: tone,
      brand: brand.en,
      name: en,
      size: size.en,
    },
  };
}

/** A name such as "Size 5" needs a comma before a pack size such as "40 nappies". */
function endsWithNumber(name: string): boolean {
  return /[\d%]$/.test(name);
}

function maxSalesQuantity(range: Range, sku: string): number | null {
  const draw = chance(`limit ${sku}`);
  if (range.limit !== undefined) return draw < 0.5 ? range.limit : null;
  return draw < 0.02 ? 10 : null;
}

function skuOf(prefix: string, position: number): string {
  return `${prefix}-${String(position).padStart(5, '0')}`;
}

/** Splits a title such as "Bananas, Philippines" into name and origin, which are drawn separately in the picture. */
function nameAndOrigin(en: string): { name: string; brand: string } {
  const [name = en, brand = ''] = en.split(', ');
  return { name, brand };
}

function roundUpTo(amount: number, step: number): number {
  return Number((Math.ceil(amount / step - 1e-9) * step).toFixed(2));
}
