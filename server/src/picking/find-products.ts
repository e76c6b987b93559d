import {
  barcodeForms,
  type EmbeddedBarcode,
  hasItemCode,
  parseEmbeddedBarcode,
  startForms,
  withoutZeros,
} from '@aisle/contract/embedded-barcode';
import {
  findProducts,
  findSkusByCodes,
  findSkusByStarts,
  isAvailable,
  listCandidates,
  type ProductRow,
} from '../catalog/index.ts';
import type { Database, Db } from '../kernel/database/db.ts';
import { searchInTime } from '../kernel/database/search-in-time.ts';
import { rankCandidates, type ReplacedItem } from './rules/rank-candidates.ts';
import { findSettings } from './settings-queries.ts';

/** The maximum number of products that a search returns. */
export const maxFound = 20;
const maxCandidates = 7;
/** More candidates than are returned, because some of them cannot be ordered now. */
const comparedCandidates = 200;
const maxCodeDigits = 8;

export type ByCode = { rows: ProductRow[]; embedded: EmbeddedBarcode | null };

/** Finds products by a scanned code. A code that no product has can contain an item code and a weight or price. */
export async function findByCode(db: Database, chainId: string, vendorId: string, code: string): Promise<ByCode> {
  const exact = await findSkusByCodes(db, chainId, vendorId, barcodeForms(code), maxFound);
  if (exact.length > 0) return { rows: await load(db, chainId, vendorId, exact), embedded: null };
  // Many barcodes can begin like the code.
  return searchInTime(db, chainId, (tx) => findEmbedded(tx, chainId, vendorId, code));
}

async function findEmbedded(db: Db, chainId: string, vendorId: string, code: string): Promise<ByCode> {
  const { embedded_barcodes: rules } = await findSettings(db, chainId);
  const embedded = parseEmbeddedBarcode(code, rules);
  if (!embedded) return { rows: [], embedded: null };
  const starts = [embedded.item_code, ...startForms(`${embedded.prefix}${embedded.item_code}`)];
  const wanted = { skus: paddings(embedded.item_code), starts };
  const found = await findSkusByStarts(db, chainId, vendorId, wanted, comparedCandidates);
  const matching = found.filter((product) => hasItemCode(embedded, product)).slice(0, maxFound);
  return { rows: await load(db, chainId, vendorId, matching), embedded };
}

/** The products that can replace an item, best first, each with the reason. */
export async function findCandidates(
  db: Database,
  chainId: string,
  vendor: { vendor_id: string; sales_buffer: number; weighted_replacement: boolean },
  item: ReplacedItem,
) {
  const { sku, suggested: named } = item;
  const query = { sku, named, limit: comparedCandidates };
  // A short title is part of many other texts, all of which are compared with it.
  const list = (tx: Db) => listCandidates(tx, chainId, vendor.vendor_id, query);
  const found = await searchInTime(db, chainId, list, 'Search for a product by its name or barcode instead.');
  const available = found.filter((row) => isAvailable(row, vendor.sales_buffer));
  const ranked = rankCandidates(available, item, vendor.weighted_replacement).slice(0, maxCandidates);
  const rows = await load(db, chainId, vendor.vendor_id, ranked);
  const reasons = new Map(ranked.map((candidate) => [candidate.sku, candidate.reason]));
  return { rows, reasonFor: (wanted: string) => reasons.get(wanted) ?? 'SIMILAR' };
}

function load(db: Db, chainId: string, vendorId: string, found: { sku: string }[]): Promise<ProductRow[]> {
  const skus = found.map(({ sku }) => sku);
  return skus.length === 0 ? Promise.resolve([]) : findProducts(db, chainId, vendorId, skus);
}

/** The digits with different numbers of leading zeros. */
function paddings(digits: string): string[] {
  const plain = withoutZeros(digits);
  const lengths = Array.from({ length: maxCodeDigits }, (_, index) => index + 1);
  return [...new Set(lengths.map((length) => plain.padStart(length, '0')))];
}
