import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, createWriteStream, existsSync, readFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A sample storefront in plain TypeScript that uses only the platform API. It keeps a copy of a chain's products,
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

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  for (;;) {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(30_000),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const result = { status: response.status, body: await response.json() };
      if (response.status < 500 && response.status !== 429) return result;
    } catch {
      // The server is being restarted.
    }
    await sleep(200);
  }
}

// --- The copy of the catalog

function applyProducts(changed: Json[]): void {
  for (const product of changed) products.set(`${product.vendor_id} ${product.sku}`, product);
}

async function downloadSnapshot(): Promise<void> {
  while (!existsSync(files.snapshot)) {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/platform/v1/chains/${chainId}/snapshot`, { headers });
      const part = `${files.snapshot}.part`;
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part));
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
    const path = `/platform/v1/chains/${chainId}/changes?limit=500&cursor=${encodeURIComponent(String(cursor))}`;
    const { status, body: page } = await call('GET', path);
    if (status !== 200) throw new Error(`changes: ${status} ${JSON.stringify(page)}`);
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

function isSigned(id: string, at: string, text: string, signatures: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`);
  return signatures.split(' ').some((given) => {
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
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
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const header = (name: string) => String(request.headers[name]);
    const id = header('webhook-id');
    if (!isSigned(id, header('webhook-timestamp'), text, header('webhook-signature'))) {
      response.writeHead(401).end();
      return;
    }
    const message = { id, order: JSON.parse(text) };
    // Stored before the response, because the server does not send it again after that.
    if (!seen.has(id)) append(files.messages, message);
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
    const { body: quote } = await call('POST', '/platform/v1/quotes', { ...store, items });
    if (!quote.is_accepted) throw new Error(`not accepted: ${JSON.stringify(quote.errors)}`);
    const placed = await call('POST', '/platform/v1/orders', {
      ...store,
      external_order_id: id,
      items,
      replacement_policy: 'ASK',
      replacement_approval: { seconds: 600, on_timeout: 'REJECT' },
      customer: { first_name: 'Sam', phone_number: '+971500000000' },
      payment: { type: 'PAID' },
    });
    // 409: the order was placed before the storefront was killed.
    if (placed.status !== 201 && placed.status !== 409) throw new Error(JSON.stringify(placed.body));
  }
}

/** Does what the last known state of each order requires. If it was done before, the server responds with 409. */
async function serveCustomers(): Promise<never> {
  for (;;) {
    for (const [id, order] of orders) await next(id, order);
    await sleep(50);
  }
}

async function next(id: string, { order_id, status, items }: Json): Promise<void> {
  const path = `/platform/v1/orders/${order_id}`;
  if (status === 'READY_FOR_PICKUP') await call('POST', `${path}/pickup`);
  if (status === 'DISPATCHED') await call('POST', `${path}/deliver`);
  if (status !== 'RECEIVED') return;
  for (const item of items) {
    if (item.approval?.state !== 'PROPOSED') continue;
    const question = `${path}/items/${item._id}`;
    const choice = Number(id.split('-')[1]) % 3;
    if (choice === 0) await call('POST', `${question}/approve-replacement`);
    if (choice === 1) await call('POST', `${question}/reject-replacement`);
    if (choice === 2) {
      const { body } = await call('GET', `${question}/replacement-candidates`);
      const other = body.candidates.find(({ sku }: Json) => sku !== item.approval.sku);
      await call('POST', `${question}/counter-replacement`, { sku: other.sku });
    }
  }
}

for (const message of linesOf(files.messages)) applyMessage(message);
serve();
await downloadSnapshot();
loadCopy();
process.stdout.write('The storefront is open.\n');
await Promise.all([followChanges(), shop(), serveCustomers()]);
