import type { Stage } from './stage.ts';

export type PageOf = [path: string, heading: string];

/** Lists every page with its heading. */
export async function listPages(stage: Stage): Promise<PageOf[]> {
  return [...plainPages, await findOrderPage(stage), await findProductPage(stage)];
}

/** Returns the page of an order that has not been picked yet. */
export async function findOrderPage({ client, demo }: Stage): Promise<PageOf> {
  const path = `/v2/chains/${demo.chain_id}/vendors/s8ym/orders?status=RECEIVED`;
  const { body } = await client.call('GET', path, { token: demo.api_token });
  const { order_id: id, order_code: code } = body.orders[0];
  return [`/orders/${id}`, `Order ${code}`];
}

export async function findProductPage({ client, demo }: Stage): Promise<PageOf> {
  const path = `/v2/chains/${demo.chain_id}/vendors/s8ym/catalog?page_size=1`;
  const { body } = await client.call('GET', path, { token: demo.api_token });
  const { sku, title } = body.products[0];
  return [`/products/${encodeURIComponent(sku)}`, title];
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
