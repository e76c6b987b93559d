import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/processes.ts';
import { startPostgres } from './database.ts';
import { graphql, type GraphqlResponse } from './graphql.ts';
import { chunk, inParallel } from './http.ts';
import { install } from './install.ts';
import { startServer } from './program.ts';
import type { Line, Peer, Shop, Update } from './shop.ts';
import { importProducts } from './vendure-seed.ts';
import { logIn, setUpChannel } from './vendure-setup.ts';

const version = '3.7.3';
const batchSize = 100;
const parallelBatches = 2;
const maxSettleMs = 30 * 60_000;

export const vendure: Peer = {
  name: `Vendure ${version}`,
  notes: {
    bulk: `one mutation for ${batchSize} variants each, ${parallelBatches} at a time, without a job: one transaction, a stock movement per variant, events in memory; no result per row; the search index is not updated in that time`,
    list: 'prices with tax, whether in stock; exact total',
    search: 'full-text search in the search index, ranked, with prices as of the last update of the index; exact total',
    order:
      'two requests with six mutations: session, cart with promotions and tax, address, shipping price, payment with the dummy handler, allocation of stock, history, events in memory',
  },
  async start() {
    const folder = await install({
      name: 'Vendure',
      version,
      dependencies: { '@vendure/core': version, pg: '8.16.3' },
      overrides: { '@graphql-tools/batch-execute': '10.2.0' },
    });
    const databaseUrl = await startPostgres('Vendure');
    const password = randomUUID();
    const url = await startVendure(folder, databaseUrl, password);
    const token = await logIn(url, password);
    const { shippingMethodId } = await setUpChannel(url, token);
    return createShop(url, databaseUrl, token, shippingMethodId);
  },
};

/** Starts the server, which creates the tables, and then the worker that runs its jobs. */
async function startVendure(folder: string, databaseUrl: string, password: string): Promise<string> {
  console.log('  starting Vendure (server and worker) …');
  const script = fileURLToPath(new URL('./vendure-server.ts', import.meta.url));
  const start = async (role: string): Promise<string> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ADMIN_PASSWORD: password,
      NODE_ENV: 'production',
      VENDURE_DISABLE_TELEMETRY: 'true',
    };
    const command = { command: process.execPath, args: [script, role], folder, environment };
    const isUp = async () => (await fetch(`${url}/health`)).ok;
    await startServer({ ...command, title: `Vendure (${role})`, log: join(folder, `${role}.log`) }, isUp);
    return url;
  };
  const url = await start('server');
  await start('worker');
  return url;
}

type Ids = Map<string, string>;

function createShop(url: string, databaseUrl: string, token: string, shippingMethodId: string): Shop {
  let variantIds: Ids = new Map();
  const admin = <Result>(query: string, variables: object) =>
    graphql<Result>(`${url}/admin-api`, token, query, variables);
  const shop = <Result>(query: string, variables: object, session = '') =>
    graphql<Result>(`${url}/shop-api`, session, query, variables);
  const settle = async () => {
    await admin('mutation { reindex { id } }', {});
    const until = performance.now() + maxSettleMs;
    while ((await admin<{ jobs: { totalItems: number } }>(openJobsQuery, {})).data.jobs.totalItems > 0) {
      if (performance.now() > until) throw new Error('Vendure has not finished its jobs.');
      await sleep(100);
    }
  };
  return {
    databaseUrl,
    async seed(products) {
      variantIds = await importProducts(url, token, products);
    },
    async setPricesAndStock(updates) {
      await inParallel(parallelBatches, chunk(updates, batchSize), async (batch) => {
        const input = batch.map((update) => toVariant(update, variantIds));
        await admin(updateMutation, { input });
      });
    },
    settle,
    async list() {
      type Item = { variants: { priceWithTax: number }[] };
      const { data } = await shop<{ products: { items: Item[] } }>(listQuery, {});
      return data.products.items.map(({ variants }) => (variants[0]?.priceWithTax ?? Number.NaN) / 100);
    },
    async search(term) {
      type Item = { priceWithTax: { min: number } };
      const { data } = await shop<{ search: { items: Item[] } }>(searchQuery, { term });
      return data.search.items.map(({ priceWithTax }) => priceWithTax.min / 100);
    },
    placeOrder: (lines, client) => placeOrder(shop, lines, client, variantIds, shippingMethodId),
  };
}

type Send = <Result>(query: string, variables: object, session?: string) => Promise<GraphqlResponse<Result>>;

function toVariant({ sku, price, quantity }: Update, ids: Ids): object {
  return { id: ids.get(sku), price: Math.round(price * 100), stockOnHand: quantity };
}

const updateMutation =
  'mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }';

const openJobsQuery = 'query { jobs(options: { filter: { isSettled: { eq: false } } }) { totalItems } }';

const listQuery = `query {
  products(options: { take: 20 }) {
    totalItems
    items { id name slug variants { id sku price priceWithTax stockLevel } }
  }
}`;

const searchQuery = `query ($term: String!) {
  search(input: { term: $term, take: 20, groupByProduct: true }) {
    totalItems
    items { productId productName sku priceWithTax { ... on SinglePrice { value } ... on PriceRange { min max } } }
  }
}`;

const failed = '... on ErrorResult { errorCode message }';

/** Two requests: the first creates the session and the cart, the second has the rest of the checkout. */
async function placeOrder(
  shop: Send,
  lines: Line[],
  client: number,
  ids: Ids,
  shippingMethodId: string,
): Promise<void> {
  const inputs = lines.map(({ sku, quantity }) => ({ productVariantId: ids.get(sku), quantity }));
  const cart = await shop<{ add: { order: { id: string }; errorResults: { message: string }[] } }>(
    'mutation ($inputs: [AddItemInput!]!) { add: addItemsToOrder(inputs: $inputs) { order { id } errorResults { ... on ErrorResult { message } } } }',
    { inputs },
  );
  const [refused] = cart.data.add.errorResults;
  if (refused) throw new Error(`Vendure did not add the items: ${refused.message}`);
  const { data } = await shop<Record<string, { state?: string; message?: string }>>(
    `mutation ($customer: CreateCustomerInput!, $address: CreateAddressInput!, $method: [ID!]!, $payment: PaymentInput!) {
      customer: setCustomerForOrder(input: $customer) { ... on Order { state } ${failed} }
      address: setOrderShippingAddress(input: $address) { ... on Order { state } ${failed} }
      shipping: setOrderShippingMethod(shippingMethodId: $method) { ... on Order { state } ${failed} }
      arrange: transitionOrderToState(state: "ArrangingPayment") { ... on Order { state } ${failed} }
      payment: addPaymentToOrder(input: $payment) { ... on Order { state } ${failed} }
    }`,
    {
      customer: { firstName: 'Bench', lastName: 'Customer', emailAddress: `customer-${client}@example.com` },
      address: { fullName: 'Bench Customer', streetLine1: 'Street 1', city: 'Dubai', countryCode: 'AE' },
      method: [shippingMethodId],
      payment: { method: 'bench', metadata: {} },
    },
    cart.session,
  );
  if (data['payment']?.state !== 'PaymentSettled') throw new Error(`Vendure: ${JSON.stringify(data)}`);
}
