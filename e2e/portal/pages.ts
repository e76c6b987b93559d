import type { Stage } from './stage.ts';

export type PageOf = [path: string, heading: string];

/** Lists every page with its heading. */
export async function listPages(stage: Stage): Promise<PageOf[]> {
  return [...plainPages, await findOrderPage(stage), await findProductPage(stage)];
}

/** Returns the page of an order that has not been picked yet. */
export async function findOrderPage({ client }: Stage): Promise<PageOf> {
  const { orders } = await client.listOrders({ params: { vendor_id: 's8ym' }, query: { status: 'RECEIVED' } });
  return [`/orders/${orders[0]?.order_id}`, `Order ${orders[0]?.order_code}`];
}

export async function findProductPage({ client }: Stage): Promise<PageOf> {
  const { products } = await client.listCatalog({ params: { vendor_id: 's8ym' }, query: { page_size: 1 } });
  return [`/products/${encodeURIComponent(String(products[0]?.sku))}`, String(products[0]?.title)];
}

const plainPages: PageOf[] = [
  ['/', 'Saltbush Market'],
  ['/orders', 'Orders'],
  ['/numbers', 'Numbers'],
  ['/catalog', 'Catalog'],
  ['/files', 'Files'],
  ['/files/upload', 'Upload file'],
  ['/jobs', 'Jobs'],
  ['/promotions', 'Promotions'],
  ['/promotions/new', 'New promotion'],
  ['/integration/webhooks', 'Webhooks'],
  ['/integration/deliveries', 'Deliveries'],
  ['/integration/requests', 'Requests'],
  ['/integration/tokens', 'API tokens'],
  ['/integration/clients', 'Client credentials'],
  ['/integration/sftp', 'SFTP'],
  ['/integration/profile', 'API profile'],
  ['/test-order', 'Test order'],
  ['/sandbox', 'Sandbox'],
  ['/certification', 'Certification'],
  ['/settings/users', 'Users'],
  ['/settings/stores', 'Stores'],
  ['/settings/barcodes', 'Scale barcodes'],
  ['/settings/account', 'Your account'],
];
