import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A sample integration: a webhook receiver and a picking device that follows the instructions of a certification, as
 * described in docs/guides/certification.md. It uses only what Node includes. The faults are mistakes that real
 * integrations make.
 */
export const faults = [
  'accepts_forged_messages',
  'accepts_old_messages',
  'discards_retries',
  'processes_duplicates',
  'ignores_revisions',
  'ignores_cancellations',
  'repeats_conflicts',
  'sends_ordered_weights',
  'adds_replacements',
  'picks_missing_items',
] as const;
export type Fault = (typeof faults)[number];

export type SampleReceiver = { url: string; close(): Promise<void> };

type Options = { aisleUrl: string; chainId: string; token: string; secret: () => string; fault?: Fault | undefined };

type OrderItem = {
  _id: string;
  sku: string;
  instructions: string | null;
  pricing: { pricing_type: 'UNIT' | 'KG'; quantity: number; weight?: number };
};
type OrderEvent = {
  order_id?: string;
  status: string;
  revision: number;
  transport_type: string;
  comment: string | null;
  items: OrderItem[];
};

export async function startSampleReceiver(options: Options): Promise<SampleReceiver> {
  const device = createDevice(options);
  const seen = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const id = String(request.headers['webhook-id']);
    const isDuplicate = seen.has(id);
    if (options.fault === 'discards_retries') seen.add(id);
    if (!isAuthentic(request.headers, body, options)) {
      response.writeHead(401).end('invalid signature');
      return;
    }
    seen.add(id);
    // Respond first, process later. A real receiver stores the message before it responds.
    response.end();
    if (isDuplicate && options.fault !== 'processes_duplicates') return;
    await device.process(JSON.parse(String(body)) as OrderEvent, isDuplicate);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/aisle`,
    async close() {
      device.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isAuthentic(headers: IncomingHttpHeaders, body: Buffer, { secret, fault }: Options): boolean {
  const [id, sentAt] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
  const isOld = Math.abs(Date.now() / 1000 - Number(sentAt)) > 300;
  if (isOld && fault !== 'accepts_old_messages') return false;
  if (fault === 'accepts_forged_messages') return true;
  const key = Buffer.from(secret().replace(/^whsec_/, ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

function createDevice({ aisleUrl, chainId, token, fault }: Options) {
  const revisions = new Map<string, number>();
  let isStopped = false;

  const put = async (orderId: string, body: unknown): Promise<void> => {
    const response = await fetch(`${aisleUrl}/v2/chains/${chainId}/orders/${orderId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    if (response?.status !== 409 || fault !== 'repeats_conflicts' || isStopped) return;
    await sleep(500);
    if (!isStopped) await put(orderId, body);
  };

  return {
    async process(order: OrderEvent, isDuplicate: boolean): Promise<void> {
      if (order.order_id === undefined) return;
      const isOutdated = order.revision <= (revisions.get(order.order_id) ?? 0);
      if (isOutdated && !isDuplicate && fault !== 'ignores_revisions') return;
      revisions.set(order.order_id, order.revision);
      if (order.status === 'RECEIVED' && instructionOf(order) !== 'WAIT')
        await put(order.order_id, bodyFor(order, fault));
      if (order.status === 'CANCELLED' && fault === 'ignores_cancellations') {
        await put(order.order_id, bodyFor(order, fault));
      }
    },
    stop() {
      isStopped = true;
    },
  };
}

/** The instruction for the whole order: the second line of the comment. */
function instructionOf({ comment }: OrderEvent): string | undefined {
  return comment?.split('\n')[1];
}

function bodyFor(order: OrderEvent, fault: Fault | undefined) {
  const [word, first = '', ...rest] = instructionOf(order)?.split(' ') ?? [];
  const items = order.items.flatMap((item) => itemsFor(item, fault));
  if (word === 'CANCEL') return { status: 'CANCELLED', cancellation: { reason: first }, items };
  const added = word === 'ADD' ? [newItem('ADDITION', rest.join(' '), Number(first))] : [];
  const status = order.transport_type === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  return { status, items: [...items, ...added] };
}

/** The items to send for one ordered item. A replaced item needs two. */
function itemsFor(item: OrderItem, fault: Fault | undefined) {
  const [word, first = '', ...rest] = item.instructions?.split(' ') ?? [];
  const { pricing_type } = item.pricing;
  const send = (status: string, amount: object = {}) => ({
    _id: item._id,
    status,
    pricing: { pricing_type, ...amount },
  });
  switch (word) {
    case 'WEIGH':
      return [send('IN_CART', fault === 'sends_ordered_weights' ? {} : { weight: Number(first) })];
    case 'NOT_FOUND':
      return [send(fault === 'picks_missing_items' ? 'IN_CART' : 'NOT_FOUND')];
    case 'REPLACE': {
      const [quantity, sku] = [Number(first), rest.join(' ')];
      if (fault === 'adds_replacements') return [send('NOT_FOUND'), newItem('ADDITION', sku, quantity)];
      return [send('REPLACED'), { ...newItem('IN_CART', sku, quantity), replaced_id: item._id }];
    }
    default:
      return [send('IN_CART', { quantity: Number(first) || item.pricing.quantity })];
  }
}

function newItem(status: string, sku: string, quantity: number) {
  return { sku, status, pricing: { pricing_type: 'UNIT', quantity } };
}
