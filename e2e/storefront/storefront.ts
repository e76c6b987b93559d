import { appendFileSync, createWriteStream, existsSync, readFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, isApiError, type Order, verifyWebhook, WebhookError } from '@aisle/sdk';

/**
 * A sample storefront that uses only the platform API, through the SDK. It keeps a copy of a chain's products,
 * quotes baskets and places orders, follows them through its webhook, answers questions about replacements for its
 * customers, and reports what the rider does.
 *
 * It can be killed at any time. Everything it knows is in three files to which it only appends: a line that was not
 * written completely is ignored. What it does next depends only on these files, and every request can be repeated.
 */
const settings = JSON.parse(process.env['STOREFRONT'] ?? '{}') as {
  url: string;
  token: string;
  chainId: string;
  vendorId: string;
  folder: string;
  port: number;
  secret: string;
  orders: number;
};
const { url, token, chainId, vendorId, folder, port, secret } = settings;

// oxlint-disable-next-line typescript/no-explicit-any -- the storefront reads what the API documents
type Json = any;
const files = {
  snapshot: join(folder, 'snapshot.ndjson'),
  changes: join(folder, 'changes.ndjson'),
  messages: join(folder, 'messages.ndjson'),
};

const products = new Map<string, Json>();
const orders = new Map<string, Json>();
const seen = new Set<string>();
let cursor: string | undefined;

function linesOf(file: string): Json[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .flatMap(parsed);
}

/** After a kill, the next line is appended to the rest of an incomplete one, which is then not JSON. */
function parsed(line: string): Json[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function append(file: string, value: Json): void {
  appendFileSync(file, `\n${JSON.stringify(value)}\n`);
}

/** While the server is restarted, requests are repeated every second. */
const aisle = createClient({ baseUrl: url, token, retries: 1000, maxRetryDelayMs: 1000 });
const params = { chain_id: chainId };

/** A conflict means that the request was sent before, and the storefront was killed before it knew. */
async function once(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!isApiError(error) || error.status !== 409) throw error;
  });
}

// --- The copy of the catalog

function applyProducts(changed: Json[]): void {
  for (const product of changed) products.set(`${product.vendor_id} ${product.sku}`, product);
}

async function downloadSnapshot(): Promise<void> {
  while (!existsSync(files.snapshot)) {
    try {
      const part = `${files.snapshot}.part`;
      await pipeline(await aisle.platformGetSnapshot({ params }), createWriteStream(part));
      // Without the last line, the download was interrupted.
      if (linesOf(part).at(-1)?.type === 'end') renameSync(part, files.snapshot);
    } catch {
      await sleep(200);
    }
  }
}

function loadCopy(): void {
  for (const line of linesOf(files.snapshot)) {
    if (line.type === 'product') applyProducts([line.product]);
    if (line.type === 'end') cursor = line.next_cursor;
  }
  for (const page of linesOf(files.changes)) {
    applyProducts(page.products);
    cursor = page.next_cursor;
  }
}

async function followChanges(): Promise<never> {
  for (;;) {
    const page = await aisle.platformListChanges({ params, query: { limit: 500, cursor } });
    if (page.next_cursor !== cursor) append(files.changes, page);
    applyProducts(page.products);
    cursor = page.next_cursor;
    if (!page.has_more) await sleep(100);
  }
}

// --- Orders

function applyMessage({ id, order }: { id: string; order: Json }): void {
  seen.add(id);
  const known = orders.get(order.external_order_id);
  if (!known || known.revision < order.revision) orders.set(order.external_order_id, order);
}

function serve(): void {
  createServer(async (request, response) => {
    if (request.method === 'GET') {
      const state = {
        orders: Object.fromEntries([...orders].map(([id, { status, items }]) => [id, { status, items }])),
        products: request.url === '/copy' ? [...products.values()] : products.size,
        messages: seen.size,
      };
      response.end(JSON.stringify(state));
      return;
    }
    const rawBody = Buffer.concat(await request.toArray());
    const verified = await verifyWebhook(request.headers, rawBody, secret).catch((error: unknown) => error as Error);
    if (verified instanceof Error) {
      response.writeHead(verified instanceof WebhookError ? verified.status : 500).end();
      return;
    }
    const message = { id: verified.id, order: verified.body };
    // Stored before the response, because the server does not send it again after that.
    if (!seen.has(message.id)) append(files.messages, message);
    applyMessage(message);
    response.end();
  }).listen(port, '127.0.0.1');
}

/** Each customer buys two products that the copy says are available. */
async function shop(): Promise<void> {
  for (let number = 1; number <= settings.orders; number++) {
    const id = `order-${number}`;
    if (orders.has(id)) continue;
    const available = [...products.values()].filter((product) => product.available);
    const items = [0, 1].map((which) => ({ sku: available[number * 10 + which].sku, quantity: 1 }));
    const store = { chain_id: chainId, vendor_id: vendorId };
    const quote = await aisle.platformQuoteBasket({ body: { ...store, items } });
    if (!quote.is_accepted) throw new Error(`not accepted: ${JSON.stringify(quote.errors)}`);
    const body = {
      ...store,
      external_order_id: id,
      items,
      replacement_policy: 'ASK',
      replacement_approval: { seconds: 600, on_timeout: 'REJECT' },
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      payment: { type: 'PAID' },
    } as const;
    await once(aisle.platformPlaceOrder({ body }));
  }
}

/** Does what the last known state of each order requires. */
async function serveCustomers(): Promise<never> {
  for (;;) {
    for (const [id, order] of orders) await next(id, order);
    await sleep(50);
  }
}

async function next(id: string, { order_id, status, items }: Order): Promise<void> {
  if (status === 'READY_FOR_PICKUP') await once(aisle.platformPickUpOrder({ params: { order_id } }));
  if (status === 'DISPATCHED') await once(aisle.platformDeliverOrder({ params: { order_id } }));
  if (status !== 'RECEIVED') return;
  for (const { _id, approval } of items) {
    if (approval?.state !== 'PROPOSED') continue;
    const question = { params: { order_id, item_id: _id } };
    const choice = Number(id.split('-')[1]) % 3;
    if (choice === 0) await once(aisle.platformApproveReplacement(question));
    if (choice === 1) await once(aisle.platformRejectReplacement(question));
    if (choice === 2) {
      const { candidates } = await aisle.platformListReplacementCandidates(question);
      const { sku } = candidates.find((candidate) => candidate.sku !== approval.sku) ?? {};
      if (sku !== undefined) await once(aisle.platformCounterReplacement({ ...question, body: { sku } }));
    }
  }
}

for (const message of linesOf(files.messages)) applyMessage(message);
serve();
await downloadSnapshot();
loadCopy();
process.stdout.write('The storefront is open.\n');
await Promise.all([followChanges(), shop(), serveCustomers()]);
