import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { Order, PickingState, Product as CatalogProduct } from '@aisle/sdk';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { waitFor } from '../support/wait.ts';
import type { Stage } from './stage.ts';
import { visit, type Visitor } from './visitor.ts';

export type Product = { sku: string; name: string; arabicName: string; barcode: string };
type Storage = BrowserContextOptions['storageState'];

/** The store that the tests use, with products that are counted and weighed. */
export type PickStage = {
  stage: Stage;
  vendorId: string;
  counted: Product[];
  weighed: Product[];
  /** Places an order: two units of the first counted product, one of the second, 1 kg of the first weighed one. */
  placeOrder(comment?: string): Promise<Order>;
  /** Cancels the orders that wait for picking, because the app stores only the first 20 on the device. */
  emptyQueue(): Promise<void>;
  getOrder(orderId: string): Promise<Order>;
  getMarks(orderId: string): Promise<Mark[]>;
  hire(name: string): Promise<Picker>;
};
export type Mark = PickingState['lines'][number];
export type Picker = { email: string; password: string; name: string; storage?: Storage };

export async function setPickStage(stage: Stage, vendorId = 's8ym'): Promise<PickStage> {
  const { client } = stage;
  const { products } = await client.listCatalog({ params: { vendor_id: vendorId }, query: { page_size: 300 } });
  const usable = products.filter((one) => one.available && one.barcodes.length > 0 && (one.quantity ?? 99) > 20);
  const [counted, weighed] = [false, true].map((isWeighed) =>
    usable.filter((one) => one.is_sold_by_weight === isWeighed).map(toProduct),
  ) as [Product[], Product[]];
  for (const { sku } of counted.slice(0, 2)) {
    // Enough for the orders of all test files with the same stage.
    await client.updateCatalog({ params: { vendor_id: vendorId }, body: { products: [{ sku, quantity: 1000 }] } });
  }
  return {
    stage,
    vendorId,
    counted,
    weighed,
    placeOrder: (comment) =>
      client.sandboxPlaceOrder({
        body: {
          vendor_id: vendorId,
          customer: { first_name: 'Sam', phone_number: '+971500000000' },
          items: [
            { sku: String(counted[0]?.sku), quantity: 2 },
            { sku: String(counted[1]?.sku), quantity: 1 },
            { sku: String(weighed[0]?.sku), weight: 1 },
          ],
          payment: { type: 'PAID' },
          comment,
        },
      }),
    async emptyQueue() {
      const { orders } = await client.listPickingQueue({ query: { vendor_id: [vendorId] } });
      for (const { order_id } of orders) {
        const cancellation = { reason: 'CLOSED' } as const;
        await client.putOrder({
          params: { order_id },
          body: { order_id, status: 'CANCELLED', items: [], cancellation },
        });
      }
    },
    getOrder: (order_id) => client.getOrder({ params: { order_id } }),
    getMarks: async (order_id) => (await client.getPicking({ params: { order_id } })).lines,
    async hire(name) {
      hired += 1;
      const email = `${name.toLowerCase()}-${hired}@picker.example`;
      const { password = '' } = await client.createUser({
        body: { email, name, role: 'PICKER', vendor_ids: [vendorId], must_change_password: false },
      });
      return { email, password, name };
    },
  };
}

/** Test files with the same stage can hire pickers with the same name. */
let hired = 0;

function toProduct({ sku, title, translations, barcodes }: CatalogProduct): Product {
  return { sku, name: title ?? '', arabicName: translations['ar_AE'] ?? '', barcode: barcodes[0] ?? '' };
}

type Options = Parameters<typeof visit>[1];

/** Opens a browser window of the size of a phone, with the functions in `in-page.js`. */
export async function visitPick({ stage }: PickStage, options: Options = {}): Promise<Visitor> {
  const visitor = await visit(stage, { width: 390, ...options });
  await visitor.page.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) });
  return visitor;
}

/** Opens the picking app as a signed-in picker. */
export async function visitAsPicker(at: PickStage, picker: Picker, options: Options = {}): Promise<Visitor> {
  const visitor = await visitPick(at, { ...options, ...(picker.storage && { storage: picker.storage }) });
  if (!picker.storage) {
    await signInToPick(visitor.page, picker);
    picker.storage = await visitor.page.context().storageState();
  }
  return visitor;
}

export async function signInToPick(page: Page, { email, password }: Picker): Promise<void> {
  await page.goto('/pick');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders to pick' }).waitFor();
}

export async function openOrder(
  page: Page,
  { order_id, order_code }: { order_id: string; order_code: string },
): Promise<void> {
  await page.goto(`/pick/orders/${order_id}`);
  await page.getByRole('heading', { level: 1, name: order_code }).waitFor();
}

/**
 * Waits until the app can be opened without a network. The page itself may have no controller: one that was being loaded
 * when the service worker started gets it with the next reload.
 */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
}

/** A line of the order by the name of its product. */
export function lineOf(page: Page, { name }: { name: string }) {
  return page.getByRole('listitem', { name, exact: true });
}

/** Scans a code with a wedge scanner. */
export async function scan(page: Page, code: string): Promise<void> {
  await page.evaluate(`inPage.scan(${JSON.stringify(code)})`);
}

export async function waitForMarks(at: PickStage, orderId: string, expected: string): Promise<void> {
  let last = '';
  await waitFor(30, `the marks ${expected}`, async () => {
    last = (await at.getMarks(orderId))
      .map(({ state, quantity, weight }) => `${state} ${weight ?? quantity ?? ''}`.trim())
      .join(', ');
    return last === expected || undefined;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}, but they are ${last}`);
  });
}

type TapProblems = { count: number; problems: string[]; pageWidth: number };

/** Fails if a control on the page is too small, outside the screen or covered by something else. */
export async function assertTappable(page: Page): Promise<void> {
  const { count, problems, pageWidth } = await page.evaluate<TapProblems>('inPage.findTapProblems()');
  const { width = 0 } = page.viewportSize() ?? {};
  assert.ok(count > 0, 'no controls');
  assert.deepEqual(problems, [], `at ${width} px: ${page.url()}`);
  assert.ok(pageWidth <= width, `the page is ${pageWidth} px wide at ${width} px`);
}
