import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/processes.ts';
import { startPostgres } from './database.ts';
import { chunk, inParallel, sendJson } from './http.ts';
import { install } from './install.ts';
import { logIn, type Setup, setUpStore } from './medusa-setup.ts';
import { type Command, runCommand, startServer } from './program.ts';
import type { Line, Peer, SeedProduct, Shop } from './shop.ts';

const version = '2.21.2';
const batchSize = 200;
const parallelBatches = 2;

export const medusa: Peer = {
  name: `Medusa ${version}`,
  notes: {
    bulk: `two requests (prices, stock) for ${batchSize} variants each, ${parallelBatches} at a time, without a job: workflows with a rollback of each step, and events in memory; no result per row; no search index to update`,
    list: 'prices of the region, stock of the sales channel; exact total',
    search:
      'the same list with a text filter: ILIKE on titles, SKU and barcode without an index, because the search index of the storefront needs code in the project; exact total',
    order:
      'five requests: cart with prices, promotions and tax, shipping price, payment session of the built-in provider, reservation of stock, order, events in memory',
  },
  async start() {
    const folder = await install({
      name: 'Medusa',
      version,
      dependencies: { '@medusajs/medusa': version, '@medusajs/framework': version, '@medusajs/cli': version },
      overrides: {
        '@aws-sdk/client-s3': '3.980.0',
        '@aws-sdk/lib-storage': '3.980.0',
        '@aws-sdk/s3-request-presigner': '3.980.0',
      },
    });
    const databaseUrl = await startPostgres('Medusa');
    const password = randomUUID();
    const url = await startMedusa(folder, databaseUrl, password);
    return createShop(url, databaseUrl, await setUpStore(url, await logIn(url, adminEmail, password)));
  },
};

const adminEmail = 'bench@example.com';

async function startMedusa(folder: string, databaseUrl: string, password: string): Promise<string> {
  copyFileSync(new URL('./medusa-config.cjs', import.meta.url), join(folder, 'medusa-config.js'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = randomUUID();
  const command = (name: string, ...args: string[]): Command => ({
    title: `medusa ${name}`,
    command: process.execPath,
    args: [join(folder, 'node_modules/@medusajs/cli/cli.js'), name, ...args],
    folder,
    environment: {
      DATABASE_URL: withSocketAsHost(databaseUrl),
      SECRET: secret,
      NODE_ENV: 'production',
      MEDUSA_DISABLE_TELEMETRY: 'true',
      LOG_LEVEL: 'warn',
    },
    log: join(folder, `${name.replace(':', '-')}.log`),
  });
  console.log('  creating the tables of Medusa …');
  await runCommand(command('db:migrate', '--skip-scripts'));
  await runCommand(command('user', '--email', adminEmail, '--password', password));
  console.log('  starting Medusa …');
  await startServer(command('start', '--host', '127.0.0.1', '--port', String(port)), async () => {
    return (await fetch(`${url}/health`)).ok;
  });
  return url;
}

/** Medusa's migrations read the host only, not the folder of a Unix socket in the query. */
function withSocketAsHost(databaseUrl: string): string {
  const { username, password, pathname, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  if (folder === null) return databaseUrl;
  return `postgresql://${username}:${password}@${encodeURIComponent(folder)}${pathname}?sslmode=disable`;
}

type Ids = { product: string; variant: string; price: string; inventoryItem: string };

function createShop(url: string, databaseUrl: string, setup: Setup): Shop {
  const ids = new Map<string, Ids>();
  const admin = async <Result>(path: string, body: object): Promise<Result> =>
    (await sendJson<Result>('POST', `${url}/admin${path}`, setup.adminHeaders, body)).body;
  const idsOf = (sku: string): Ids => {
    const found = ids.get(sku);
    if (!found) throw new Error(`Medusa has no variant ${sku}.`);
    return found;
  };
  const page = async (query: string): Promise<number[]> => {
    const path = `/store/products?limit=20&region_id=${setup.regionId}&fields=${listFields}${query}`;
    const { body } = await sendJson<{ products: Listed[] }>('GET', `${url}${path}`, setup.storeHeaders);
    return body.products.map(({ variants }) => variants[0]?.calculated_price.calculated_amount ?? Number.NaN);
  };
  return {
    databaseUrl,
    async seed(products) {
      await inParallel(parallelBatches, chunk(products, 50), (batch) => createProducts(admin, setup, batch, ids));
    },
    async setPricesAndStock(updates) {
      await inParallel(parallelBatches, chunk(updates, batchSize), async (batch) => {
        const update = batch.map(({ sku, price }) => {
          const { product, variant, price: id } = idsOf(sku);
          const prices = [{ id, currency_code: setup.currency, amount: price }];
          return { id: product, variants: [{ id: variant, prices }] };
        });
        await admin('/products/batch?fields=id', { update });
        const levels = batch.map(({ sku, quantity }) => levelOf(setup, idsOf(sku).inventoryItem, quantity));
        await admin('/inventory-items/location-levels/batch', { create: [], update: levels, delete: [] });
      });
    },
    settle: async () => {},
    list: () => page(''),
    search: (term) => page(`&q=${term}`),
    placeOrder: (lines, client) =>
      placeOrder(
        url,
        setup,
        client,
        lines.map(({ sku, quantity }) => ({ variant_id: idsOf(sku).variant, quantity })),
      ),
  };
}

const listFields = 'id,title,handle,variants.id,variants.sku,*variants.calculated_price,%2Bvariants.inventory_quantity';

type Listed = { variants: { calculated_price: { calculated_amount: number } }[] };
type Admin = <Result>(path: string, body: object) => Promise<Result>;
type Created = {
  id: string;
  variants: { id: string; sku: string; prices: { id: string }[]; inventory_items: { inventory_item_id: string }[] }[];
};

async function createProducts(admin: Admin, setup: Setup, batch: SeedProduct[], ids: Map<string, Ids>): Promise<void> {
  const fields = 'id,variants.id,variants.sku,variants.prices.id,variants.inventory_items.inventory_item_id';
  const { created } = await admin<{ created: Created[] }>(`/products/batch?fields=${fields}`, {
    create: batch.map(({ sku, title, price, barcode }) => ({
      title,
      handle: sku.toLowerCase(),
      status: 'published',
      shipping_profile_id: setup.shippingProfileId,
      sales_channels: [{ id: setup.salesChannelId }],
      options: [{ title: 'Size', values: ['One'] }],
      variants: [
        { title, sku, barcode, options: { Size: 'One' }, prices: [{ currency_code: setup.currency, amount: price }] },
      ],
    })),
  });
  for (const { id, variants } of created) {
    for (const variant of variants) {
      const [price, item] = [variant.prices[0]?.id ?? '', variant.inventory_items[0]?.inventory_item_id ?? ''];
      ids.set(variant.sku, { product: id, variant: variant.id, price, inventoryItem: item });
    }
  }
  const create = batch.map(({ sku, quantity }) => levelOf(setup, ids.get(sku)?.inventoryItem ?? '', quantity));
  await admin('/inventory-items/location-levels/batch', { create, update: [], delete: [] });
}

function levelOf({ locationId }: Setup, inventoryItemId: string, quantity: number): object {
  return { inventory_item_id: inventoryItemId, location_id: locationId, stocked_quantity: quantity };
}

/** The five requests of a checkout. The cart is created with its items, the address and the email address at once. */
async function placeOrder(
  url: string,
  setup: Setup,
  client: number,
  items: { variant_id: string; quantity: Line['quantity'] }[],
): Promise<void> {
  const store = async <Result>(path: string, body: object): Promise<Result> =>
    (await sendJson<Result>('POST', `${url}/store${path}`, setup.storeHeaders, body)).body;
  const { cart } = await store<{ cart: { id: string } }>('/carts?fields=id', {
    region_id: setup.regionId,
    sales_channel_id: setup.salesChannelId,
    email: `customer-${client}@example.com`,
    shipping_address: { first_name: 'Bench', last_name: 'C', address_1: 'Street 1', city: 'Dubai', country_code: 'ae' },
    items,
  });
  await store(`/carts/${cart.id}/shipping-methods?fields=id`, { option_id: setup.shippingOptionId });
  const { payment_collection: collection } = await store<{ payment_collection: { id: string } }>(
    '/payment-collections',
    { cart_id: cart.id },
  );
  await store(`/payment-collections/${collection.id}/payment-sessions`, { provider_id: 'pp_system_default' });
  const completed = await store<{ type: string }>(`/carts/${cart.id}/complete?fields=id`, {});
  if (completed.type !== 'order') throw new Error(`Medusa did not place the order: ${JSON.stringify(completed)}`);
}
