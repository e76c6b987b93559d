import type { Order } from '@aisle/contract/order';
import { clientOf } from '../../e2e/support/client.ts';
import { createPlatformToken } from '../../server/src/identity/index.ts';
import { type Fixture, makeChain } from '../catalog/fixture.ts';
import { startAisle, startDatabase } from '../support/processes.ts';
import { putPrepared } from '../support/put-prepared.ts';
import { atEnd } from './cleanup.ts';
import { sendJson } from './http.ts';
import type { Peer, Shop } from './shop.ts';

export const aisle: Peer = {
  name: 'Aisle',
  notes: {
    bulk: 'one request, stored before the 202 response; a job checks each row, updates price and stock, writes a result file with a line per SKU and records an event; searches use the same rows',
    list: 'only products that can be ordered now; prices include promotions; exact total',
    search: 'words of the title, beginning of SKU or barcode, in an index; exact total',
    order:
      'one request: checks the store, the stock and the limits of promotions, sets the prices, takes the stock, stores the order, its history and the event for webhooks; no cart, tax, shipping price or payment, which are up to the storefront',
  },
  async start() {
    console.log('  starting PostgreSQL and Aisle …');
    const database = await startDatabase();
    atEnd(() => database.stop());
    const fixture = await makeChain(database.db, 1, 0);
    const platformToken = await createPlatformToken(database.db, 'bench');
    const running = await startAisle(database.url);
    atEnd(() => running.stop());
    return createShop(running.url, database.url, fixture, platformToken);
  },
};

function createShop(url: string, databaseUrl: string, fixture: Fixture, platformToken: string): Shop {
  const { chainId, vendors, base, token } = fixture;
  const [vendor = ''] = vendors;
  const client = clientOf({ url }, fixture);
  const catalog = `${url}${base}/vendors/${vendor}/catalog`;
  const platform = { authorization: `Bearer ${platformToken}` };
  const assortment = async (query: string) => {
    const path = `/platform/v1/chains/${chainId}/vendors/${vendor}/assortment?page_size=20${query}`;
    const { body } = await sendJson<{ products: { effective_price: number }[] }>('GET', `${url}${path}`, platform);
    return body.products.map((product) => product.effective_price);
  };
  const finish = (jobId: string) => client.waitForCatalogJob(jobId, { pollMs: 20 });
  return {
    databaseUrl,
    async seed(products) {
      const { job_id } = await client.createStoreProducts({ params: { vendor_id: vendor }, body: { products } });
      await finish(job_id);
    },
    async setPricesAndStock(products) {
      await finish(await putPrepared(catalog, token, Buffer.from(JSON.stringify({ products }))));
    },
    settle: async () => {},
    list: () => assortment(''),
    search: (term) => assortment(`&query_term=${term}`),
    async placeOrder(items) {
      await sendJson<Order>('POST', `${url}/platform/v1/orders`, platform, {
        chain_id: chainId,
        vendor_id: vendor,
        customer: { first_name: 'Bench', phone_number: '+971500000000' },
        items,
        payment: { type: 'PAID' },
      });
    },
  };
}
