import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { text } from 'node:stream/consumers';
import { makeChain, useAisle } from '../../server/test/support/aisle.ts';
import { addProducts } from '../../server/test/support/catalog.ts';
import { makeFolder } from '../support/folder.ts';
import { compile, generateClients, generateTypes } from './generated.ts';

const { folder, remove } = makeFolder();
after(remove);
await generateTypes(folder);
await generateClients(folder);

const partnerNames = [
  'Order',
  'OrderItem',
  'OrderStatus',
  'Product',
  'Promotion',
  'CatalogJob',
  'Problem',
  'OrderReceivedEvent',
];
const platformNames = ['Order', 'NewOrder', 'Problem'];

test('openapi-typescript generates a named type for every schema', () => {
  for (const [document, names] of [
    ['partner', partnerNames],
    ['platform', platformNames],
  ] as const) {
    const types = readFileSync(join(folder, `${document}-types.ts`), 'utf8');
    for (const name of names) assert.ok(types.includes(`\n        ${name}: `), name);
  }
});

test('@hey-api/openapi-ts generates a named type for every schema', () => {
  for (const [document, names] of [
    ['partner', partnerNames],
    ['platform', platformNames],
  ] as const) {
    const types = readFileSync(join(folder, document, 'types.gen.ts'), 'utf8');
    for (const name of names) assert.ok(types.includes(`\nexport type ${name} = `), name);
  }
});

test('a program that uses the generated client compiles, and can fulfil an order', async () => {
  writeFileSync(join(folder, 'program.ts'), program);
  const files = ['program.ts', 'partner-types.ts', 'platform-types.ts', 'platform/index.ts'];
  assert.equal(compile(folder, files), '');

  const aisle = await useAisle();
  const chain = await makeChain(aisle, { vendors: 1, isSandbox: true });
  await addProducts(aisle, chain, [{ sku: 'MILK', title: 'Milk', price: 2, quantity: 5 }]);
  await aisle.aisle.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = aisle.aisle.http.server.address() as AddressInfo;
  const environment = {
    URL: `http://127.0.0.1:${port}`,
    TOKEN: chain.token,
    CHAIN: chain.chainId,
    STORE: String(chain.vendors[0]),
  };
  assert.deepEqual(await runProgram(environment), {
    updated: 200,
    price: 2.5,
    placed: 'RECEIVED',
    fulfilled: 'READY_FOR_PICKUP',
    total: 5,
    rejected: ['invalid_cart_update', 'unknown_item'],
  });
});

test('a program that misuses the generated types does not compile', () => {
  const misuse = `import type { components } from './partner-types.ts';
    export const status: components['schemas']['Order']['status'] = 'UNHEARD_OF';`;
  writeFileSync(join(folder, 'misuse.ts'), misuse);
  assert.match(compile(folder, ['misuse.ts']), /'"UNHEARD_OF"' is not assignable/);
});

/** Five calls: update a product, read it, place an order, send an invalid fulfilment and fulfil the order. */
const program = `
import { listCatalog, type Order, type Problem, putOrder, sandboxPlaceOrder, updateCatalog } from './partner/index.ts';
import { client } from './partner/client.gen.ts';
import type { components } from './partner-types.ts';

declare const process: { env: Record<string, string> };
const { URL: baseUrl, TOKEN: token, CHAIN: chain_id, STORE: vendor_id } = process.env as Record<string, string>;
client.setConfig({ baseUrl, auth: () => token });
const path = { chain_id: chain_id!, vendor_id: vendor_id! };

const updated = await updateCatalog({ path, body: { products: [{ sku: 'MILK', price: 2.5 }] } });
const catalog = await listCatalog({ path, query: { query_term: 'MILK' }, throwOnError: true });
const placed = await sandboxPlaceOrder({
  path: { chain_id: path.chain_id },
  body: {
    vendor_id: path.vendor_id,
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items: [{ sku: 'MILK', quantity: 2 }],
    payment: { type: 'PAID' },
  },
  throwOnError: true,
});
const order: Order = placed.data;
const orderPath = { chain_id: path.chain_id, order_id: order.order_id };
const pick = (_id: string) => ({ _id, status: 'IN_CART' as const, pricing: { pricing_type: 'UNIT' as const, quantity: 2 } });

const wrong = await putOrder({ path: orderPath, body: { status: 'READY_FOR_PICKUP', items: [pick('nothing')] } });
const problem: Problem | undefined = wrong.error;
const fulfilled = await putOrder({
  path: orderPath,
  headers: { 'If-Match': '"1"' },
  body: { status: 'READY_FOR_PICKUP', items: order.items.map(({ _id }) => pick(_id)) },
  throwOnError: true,
});
// Compiles only if both generators create the same type for an order.
const same: components['schemas']['Order'] = fulfilled.data;

console.log(JSON.stringify({
  updated: updated.response!.status,
  price: catalog.data.products[0]?.price,
  placed: order.status,
  fulfilled: same.status,
  total: fulfilled.data.payment.sub_total,
  rejected: [problem?.code, problem?.errors?.[0]?.code],
}));
`;

async function runProgram(environment: Record<string, string>): Promise<unknown> {
  const child = spawn(process.execPath, [join(folder, 'program.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}
