import assert from 'node:assert/strict';
import test from 'node:test';
import { findViolations } from './checker.ts';
import { type Evidence, noEvidence } from './evidence.ts';
import { describeHistory, type History, newHistory, orderDigest } from './history.ts';
import type { Chain } from './chain.ts';
import { seeded } from './random.ts';
import { drawWorld } from './world.ts';

/**
 * One fulfilled order with two units of PLENTY-1 and a promoted item, and one update. Each test breaks one thing, which
 * the checks must report first. Other violations can follow from it.
 */
test('a correct history has no violations', () => {
  const { history, evidence } = makeCase();
  assert.deepEqual(findViolations(history, evidence), []);
});

const cases: [string, rule: string, (data: ReturnType<typeof makeCase>) => void][] = [
  [
    'an acknowledged order that is missing',
    'every acknowledged write exactly once',
    ({ history }) => {
      history.operations.push({ ...place(history), id: 'chain-1-op9', result: { status: 201, orderId: 'gone' } });
    },
  ],
  [
    'an order that is stored twice',
    'every acknowledged write exactly once',
    ({ evidence }) => {
      const [first] = evidence.orders;
      evidence.orders.push({ chain: 'chain-1', order: { ...first?.order, order_id: 'copy', items: [] } });
      evidence.changes.push(...evidence.changes.map((change) => ({ ...change, order_id: 'copy' })));
      evidence.feed.push(
        ...evidence.feed.map((event) => ({ ...event, eventId: `${event.eventId}-copy`, orderId: 'copy' })),
      );
      deliverAll({ evidence });
    },
  ],
  [
    'an order with another quantity than was sent',
    'orders contain what was sent',
    ({ history }) => void (place(history).items = ['PLENTY-1 3', 'PROMOTED-1 1']),
  ],
  [
    'a product that is missing',
    'no product is lost',
    ({ evidence }) => void (evidence.offers = evidence.offers.filter(({ sku }) => sku !== 'RESTOCKED-1')),
  ],
  [
    'an order at another store',
    'orders contain what was sent',
    ({ history }) => void (place(history).vendorId = 'other store'),
  ],
  [
    'an order that was not picked as sent',
    'orders contain what was sent',
    ({ history }) => {
      for (const operation of history.operations) {
        if (operation.kind === 'fulfil') operation.items = ['item-1 IN_CART 1', 'item-2 IN_CART 1'];
      }
    },
  ],
  [
    'an order that has changed without an event',
    'orders match events',
    ({ evidence }) => {
      const [first] = evidence.orders;
      if (first) first.order.customer = { first_name: 'chain-1 stranger' };
    },
  ],
  [
    'a rejected order that is stored',
    'every acknowledged write exactly once',
    ({ history }) => {
      place(history).outcome = 'rejected';
      place(history).result = { status: 400, code: 'invalid_request unavailable' };
    },
  ],
  [
    'a change that was not sent',
    'no change without its cause',
    ({ history }) => {
      history.operations = history.operations.filter(({ kind }) => kind !== 'fulfil');
    },
  ],
  [
    'a valid write that is rejected',
    'valid writes are accepted',
    ({ history }) => {
      history.operations.push({
        ...place(history),
        id: 'chain-1-op9',
        outcome: 'rejected',
        result: { status: 400, code: 'invalid_request' },
      });
    },
  ],
  [
    'a mistake of a picker that is accepted',
    'invalid writes are rejected',
    ({ history }) => {
      history.operations.push({ ...place(history), id: 'chain-1-op9', kind: 'mistake', orderId: 'order' });
    },
  ],
  [
    'a revision that is missing',
    'revisions without gaps',
    ({ evidence }) => {
      evidence.changes = evidence.changes.filter(({ revision }) => revision !== 1);
    },
  ],
  [
    'a job that failed',
    'every acknowledged write exactly once',
    ({ evidence }) => {
      evidence.jobs = evidence.jobs.map((job) => ({ ...job, status: 'FAILED' }));
    },
  ],
  ['an event that is missing', 'no event is lost', ({ evidence }) => dropEvent(evidence, 'received')],
  ["a job's event that is missing", 'no event is lost', ({ evidence }) => dropEvent(evidence, 'job')],
  [
    'an event that nothing caused',
    'no event without its cause',
    ({ evidence }) => {
      evidence.feed.push({ ...event('extra', 'order.received'), orderId: 'nothing' });
      deliverAll({ evidence });
    },
  ],
  [
    'events in the wrong order',
    'events in order',
    ({ evidence, history }) => {
      evidence.feed.reverse();
      history.arrivals.reverse();
      deliverAll({ evidence });
    },
  ],
  [
    'an event that differs from the response',
    'events match responses',
    ({ history }) => {
      place(history).result = { ...place(history).result, status: 201, snapshot: 'other' };
    },
  ],
  [
    'a feed that changed after it was read',
    'the feed never changes',
    ({ evidence }) => {
      evidence.liveFeed[0]?.eventIds.reverse();
    },
  ],
  ['a message that did not arrive', 'feed and deliveries agree', ({ history }) => void history.arrivals.pop()],
  [
    'a message with a different body',
    'feed and deliveries agree',
    ({ history }) => {
      history.arrivals.push({ chain: 'chain-1', eventId: 'received', digest: 'other' });
    },
  ],
  [
    'messages in the wrong order',
    'deliveries in order',
    ({ history }) => {
      history.arrivals.reverse();
    },
  ],
  [
    "a message at another chain's receiver",
    'no foreign data',
    ({ history }) => {
      history.arrivals.push({ chain: 'chain-2', eventId: 'received', digest: 'received body' });
    },
  ],
  [
    'stock that was taken twice',
    'stock arithmetic',
    ({ evidence }) => {
      for (const offer of evidence.offers) if (offer.sku === 'PLENTY-1') offer.quantity = 1_000_000 - 4;
    },
  ],
  [
    'an order that holds too little stock',
    'stock arithmetic',
    ({ evidence }) => {
      for (const line of evidence.lines) if (line.sku === 'PLENTY-1') line.taken = 1;
      for (const offer of evidence.offers) if (offer.sku === 'PLENTY-1') offer.quantity = 1_000_000 - 1;
    },
  ],
  [
    'stock that was taken twice, without knowing what each order has taken',
    'stock arithmetic',
    ({ evidence }) => {
      for (const line of evidence.lines) line.taken = undefined;
      for (const offer of evidence.offers) if (offer.sku === 'PLENTY-1') offer.quantity = 1_000_000 - 4;
    },
  ],
  [
    'an update that was lost',
    'the last acknowledged update applies',
    ({ evidence }) => {
      for (const offer of evidence.offers) if (offer.sku === 'RESTOCKED-1') offer.price = 1;
    },
  ],
  [
    'a price that no update has changed',
    'the last acknowledged update applies',
    ({ evidence }) => {
      for (const offer of evidence.offers) if (offer.sku === 'PLENTY-1') offer.price += 1;
    },
  ],
  [
    'more discounted units than the limit',
    'promotion limits',
    ({ evidence }) => {
      const item = evidence.orders[0]?.order.items[1];
      item.discount = 5000;
      for (const promotion of evidence.promotions) promotion.global_used = 1000;
    },
  ],
  [
    'units that are counted wrongly',
    'promotion limits',
    ({ evidence }) => {
      for (const promotion of evidence.promotions) promotion.global_used += 1;
    },
  ],
];

for (const [symptom, rule, change] of cases) {
  test(`the checker finds ${symptom}`, () => {
    const data = makeCase();
    change(data);
    assert.equal(findViolations(data.history, data.evidence)[0]?.rule, rule);
  });
}

test('the stock can be checked without knowing what each order has taken', () => {
  const { history, evidence } = makeCase();
  for (const line of evidence.lines) line.taken = undefined;
  assert.deepEqual(findViolations(history, evidence), []);
});

test('an update without a response may or may not have been applied', () => {
  const { history, evidence } = makeCase();
  const write = { vendorId: 'store', sku: 'RESTOCKED-1', field: 'price', value: 7 } as const;
  history.operations.push({
    ...place(history),
    id: 'chain-1-op9',
    kind: 'update',
    writes: [write],
    outcome: 'unknown',
  });
  delete history.operations.at(-1)?.result;
  assert.deepEqual(findViolations(history, evidence), []);
  for (const offer of evidence.offers) if (offer.sku === 'RESTOCKED-1') offer.price = 7;
  assert.deepEqual(findViolations(history, evidence), []);
});

test('the history of an order lists every write to it with its outcome', () => {
  const { history } = makeCase();
  assert.deepEqual(describeHistory(history, 'order'), [
    '0.001–0.002 s chain-1-op1 place acknowledged after 1 attempts 201 RECEIVED revision 1',
    '0.003–0.004 s chain-1-op2 fulfil acknowledged after 1 attempts 200 READY_FOR_PICKUP revision 2',
  ]);
  assert.equal(describeHistory(history, 'chain-1 store RESTOCKED-1').length, 1);
});

function makeCase(): { history: History; evidence: Evidence } {
  const shape = { chains: [{ receiver: 'healthy', stores: 1 } as const], scarceStock: { min: 10, max: 60 } };
  const [plan] = drawWorld(seeded('checker'), shape).chains;
  assert.ok(plan);
  const chain: Chain = { ...plan, chainId: 'id-1', token: '', base: '', vendors: ['store'] };
  const own = { chain_id: 'id-1', vendor_id: 'store' };
  const item = (no: number, sku: string, quantity: number, discount: number) => {
    const pricing = { pricing_type: 'UNIT', quantity };
    return { _id: `item-${no}`, sku, status: 'IN_CART', discount, pricing, original_pricing: pricing };
  };
  const order = {
    order_id: 'order',
    comment: 'chain-1-op1',
    client: { store_id: 'store' },
    status: 'READY_FOR_PICKUP',
    revision: 2,
    items: [item(1, 'PLENTY-1', 2, 0), item(2, 'PROMOTED-1', 1, 5)],
  };
  const feed = [
    event('received', 'order.received', 1),
    { ...event('ready', 'order.ready_for_pickup', 2), snapshot: orderDigest(order) },
    event('job', 'catalog.job_finished'),
  ];
  const line = { ...own, order_id: 'order', status: 'IN_CART' };
  const change = { chain_id: 'id-1', order_id: 'order' };
  const evidence: Evidence = {
    ...noEvidence,
    chains: [chain],
    orders: [{ chain: 'chain-1', order }],
    feed,
    changes: [
      { ...change, revision: 1, from_status: null, to_status: 'RECEIVED' },
      { ...change, revision: 2, from_status: 'RECEIVED', to_status: 'READY_FOR_PICKUP' },
    ],
    lines: [
      { ...line, sku: 'PLENTY-1', quantity: 2, taken: 2 },
      { ...line, sku: 'PROMOTED-1', quantity: 1, taken: 1 },
    ],
    offers: chain.products.map(({ sku, quantity, price }) => {
      const ordered = order.items.find((each) => each.sku === sku)?.pricing.quantity ?? 0;
      return { ...own, sku, quantity: quantity - ordered, price: sku === 'RESTOCKED-1' ? 3 : price };
    }),
    jobs: [{ chain_id: 'id-1', job_id: 'job', type: 'CATALOG_UPDATE', status: 'COMPLETED', failed: 0 }],
    promotions: [{ chain_id: 'id-1', name: 'chain-1 half price', global_limit: 10, global_used: 1 }],
  };
  deliverAll({ evidence });
  return { history: makeHistory(orderDigest(order)), evidence };
}

function makeHistory(ready: string): History {
  const common = { chain: 'chain-1', attempts: 1, outcome: 'acknowledged' } as const;
  const result = (status: number, revision: number, orderStatus: string, snapshot: string) => ({
    status,
    revision,
    orderStatus,
    snapshot,
    orderId: 'order',
  });
  const write = { vendorId: 'store', sku: 'RESTOCKED-1', field: 'price', value: 3 } as const;
  return {
    ...newHistory(),
    operations: [
      {
        ...common,
        id: 'chain-1-op1',
        kind: 'place',
        vendorId: 'store',
        items: ['PLENTY-1 2', 'PROMOTED-1 1'],
        startedAt: 1,
        endedAt: 2,
        result: result(201, 1, 'RECEIVED', 'received'),
      },
      {
        ...common,
        id: 'chain-1-op2',
        kind: 'fulfil',
        orderId: 'order',
        items: ['item-1 IN_CART 2', 'item-2 IN_CART 1'],
        startedAt: 3,
        endedAt: 4,
        result: result(200, 2, 'READY_FOR_PICKUP', ready),
      },
      {
        ...common,
        id: 'chain-1-op3',
        kind: 'update',
        startedAt: 5,
        endedAt: 6,
        writes: [write],
        result: { status: 202, jobId: 'job' },
      },
    ],
    arrivals: ['received', 'ready', 'job'].map((eventId) => ({ chain: 'chain-1', eventId, digest: `${eventId} body` })),
  };
}

function event(eventId: string, type: string, revision?: number) {
  const isJob = revision === undefined;
  return {
    chain: 'chain-1',
    eventId,
    type,
    revision,
    orderId: isJob ? undefined : 'order',
    jobId: isJob ? 'job' : undefined,
    digest: `${eventId} body`,
    snapshot: isJob ? undefined : eventId,
  };
}

/** Records that every event was delivered, and that a feed reader saw all of them. */
function deliverAll({ evidence }: { evidence: Evidence }): void {
  evidence.deliveries = evidence.feed.map(({ eventId }) => ({
    delivery_id: eventId,
    chain_id: 'id-1',
    status: 'DELIVERED',
  }));
  evidence.liveFeed = [{ chain: 'chain-1', eventIds: evidence.feed.map(({ eventId }) => eventId) }];
}

function dropEvent(evidence: Evidence, eventId: string): void {
  evidence.feed = evidence.feed.filter((each) => each.eventId !== eventId);
  deliverAll({ evidence });
}

function place({ operations }: History) {
  const found = operations.find(({ kind }) => kind === 'place');
  assert.ok(found);
  return found;
}
