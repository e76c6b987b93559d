/** What every shop is asked to do. Each implementation calls the public HTTP API of its program. */
export type Shop = {
  databaseUrl: string;
  /** Creates the products. Searches need not find them until `settle` was called. */
  seed(products: SeedProduct[]): Promise<void>;
  /** Sets the price and the stock of every product, and waits until the API returns the new values. */
  setPricesAndStock(updates: Update[]): Promise<void>;
  /** Does what is left to do after an update, such as updating a search index, and waits until it is done. */
  settle(): Promise<void>;
  /** Reads the first page of 20 products. Returns their prices. */
  list(): Promise<number[]>;
  /** Reads the first page of 20 products that match. Returns their prices. */
  search(term: string): Promise<number[]>;
  /** Places a paid order with these line items, from an empty cart. Every client is another returning customer. */
  placeOrder(lines: Line[], client: number): Promise<void>;
};

export type SeedProduct = { sku: string; title: string; price: number; quantity: number; barcode: string };
export type Update = { sku: string; price: number; quantity: number };
export type Line = { sku: string; quantity: number };

/** One of the measured operations. */
export type Work = 'bulk' | 'list' | 'search' | 'order';

/** What a program does, and does not do, in the measured time. */
export type Notes = Record<Work, string>;

export type Peer = {
  name: string;
  notes: Notes;
  /** Installs the program if necessary, and starts it on an empty database. Everything is stopped by `atEnd`. */
  start(): Promise<Shop>;
};

export const searchTerm = 'milk';
const linesPerOrder = 4;
const kinds = ['Bread', 'Cheese', 'Coffee', 'Orange Juice', 'Rice'];

/** One product in a hundred is milk, as in the catalog benchmark. */
export function products(count: number): SeedProduct[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: skuOf(index),
    title: `${index % 100 === 0 ? 'Meadow Milk' : kinds[index % kinds.length]} No. ${index + 1}`,
    price: 1.5,
    quantity: 1000,
    barcode: String(2_000_000_000_000 + index),
  }));
}

/** New prices and stock for every product, different in each round. */
export function updates(count: number, round: number): Update[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: skuOf(index),
    price: (minPrice(round) * 100 + (index % 500)) / 100,
    quantity: 100_000 + round,
  }));
}

/** No price of an earlier round is as high, so that prices show whether the last round was applied. */
export function minPrice(round: number): number {
  return 2 + 10 * round;
}

/** Four line items with two units each. Consecutive orders have different products. */
export function linesOf(order: number, productCount: number): Line[] {
  return Array.from({ length: linesPerOrder }, (_, line) => ({
    sku: skuOf((order * 37 + line * Math.ceil(productCount / linesPerOrder)) % productCount),
    quantity: 2,
  }));
}

function skuOf(index: number): string {
  return `SKU-${String(index + 1).padStart(7, '0')}`;
}
