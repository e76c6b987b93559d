import type { SnapshotLine } from '@aisle/contract/storefront';
import type { Static } from 'typebox';
import { type CatalogCursor, type ChainProductRow, listProductChanges } from '../catalog/index.ts';
import type { Database } from '../kernel/database/db.ts';
import { listCurrentPromotions, openPromotionChanges, promotionResponse } from '../promotions/index.ts';
import type { StorefrontCursor } from './cursor.ts';

type Line = Static<typeof SnapshotLine>;
type Product = Extract<Line, { type: 'product' }>['product'];

/** A product can have 256 KiB, and a page is in memory as rows, objects and text. */
const pageSize = 100;

/**
 * Yields a chain's products and promotions as NDJSON, a page at a time, and at the end the cursor for `listChanges`. It
 * is the same scan with which a walk without a cursor starts, so what changes in the meantime is read after it.
 */
export async function* streamSnapshot(
  db: Database,
  chainId: string,
  listVendorIds: () => Promise<string[]>,
  show: (rows: ChainProductRow[], now: Date) => Promise<Product[]>,
  writeCursor: (cursor: StorefrontCursor) => string,
): AsyncGenerator<Buffer> {
  const { position, seenUntil } = await openPromotionChanges(db, chainId);
  const count = { products: 0, promotions: 0 };
  let catalog: CatalogCursor | undefined;
  do {
    const walk = { cursor: catalog, since: undefined, listVendorIds, limit: pageSize };
    const step = await listProductChanges(db, chainId, walk);
    const products = await show(step.rows, seenUntil);
    count.products += products.length;
    yield lines(products.map((product) => ({ type: 'product', product })));
    catalog = step.next;
  } while (catalog.phase === 'scan');
  for (let after: string | undefined = nilId; after !== undefined; ) {
    const rows = await listCurrentPromotions(db, chainId, after, pageSize);
    const now = new Date();
    count.promotions += rows.length;
    yield lines(rows.map((row) => ({ type: 'promotion', promotion: promotionResponse(row, now) })));
    after = rows.length === pageSize ? rows.at(-1)?.promotion_id : undefined;
  }
  yield lines([{ type: 'end', ...count, next_cursor: writeCursor({ catalog, position, at: undefined }) }]);
}

const nilId = '00000000-0000-0000-0000-000000000000';

function lines(objects: Line[]): Buffer {
  return Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
}
