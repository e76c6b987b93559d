import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scenarioNames } from '@aisle/contract/certification';
import { callerFor, makeChain, makeToken, makeUser, useAisle } from '../../support/aisle.ts';
import { addProducts } from '../../support/catalog.ts';
import { changeVendor, makeShop } from '../../support/orders.ts';
import { assertProblem } from '../../support/problem.ts';
import { useReceivers } from '../../support/receiver.ts';
import { waitFor } from '../../support/wait.ts';
import { setWebhook } from '../../support/webhooks.ts';
import { findFailedRequest } from '../../../src/certification/failed-request.ts';
import { finding } from '../../../src/certification/rules/findings.ts';
import { scenarios } from '../../../src/certification/rules/scenarios.ts';
import { newId } from '../../../src/kernel/values/ids.ts';
import { listOrderPuts } from '../../../src/requests/index.ts';

const aisle = await useAisle();
const newReceiver = useReceivers();
const settings = { integration_type: 'PICKING', integration_enabled: true };

test('a certification can be started, read, listed and stopped, and its open orders are then cancelled', async () => {
  const { chain, call, start } = await makeReady();
  const started = await start();
  assert.equal(started.status, 202, started.text);
  const { certification_id: id, status, total, passed, report_url } = started.body;
  assert.deepEqual([status, total, passed], ['RUNNING', scenarioNames.length, 0]);
  assert.equal(report_url, `http://aisle.test/portal/certification/${id}`);

  const second = await start();
  assertProblem(second, 'certification_running');
  assert.equal(second.body.certification_id, id);

  const readOrders = () =>
    aisle.db.query<{ order_id: string; status: string; comment: string }>(
      'select order_id, status, comment from orders where chain_id = $1 and is_test',
      [chain.chainId],
    );
  await waitFor('the orders', async () => (await readOrders()).length === scenarioNames.length, 30);
  const report = await call('GET', `/certifications/${id}`);
  assert.deepEqual(
    report.body.scenarios.map(({ name }: { name: string }) => name),
    scenarioNames,
  );
  assert.match(report.body.scenarios[5].comment, /^Certification: added\nADD 1 \S+$/);

  const stopped = await call('POST', `/certifications/${id}/stop`);
  assert.deepEqual([stopped.status, stopped.body.status, stopped.body.is_complete], [200, 'STOPPED', false]);
  assert.equal((await call('POST', `/certifications/${id}/stop`)).body.finished_at, stopped.body.finished_at);
  assert.deepEqual(
    (await readOrders()).filter((order) => order.status === 'RECEIVED'),
    [],
  );
  const list = await call('GET', `/certifications?vendor_id=${chain.vendors[0]}`);
  assert.deepEqual([list.body.total_items, list.body.certifications[0].certification_id], [1, id]);
  assert.equal((await start({ scenarios: ['weighed'] })).status, 202);
});

test('a receiver that returns 500 fails, with the exact message and response', async () => {
  const { call, start, receiver } = await makeReady();
  receiver.respondWith((response) => void response.writeHead(500).end('out of order'));
  const { body } = await start({ scenarios: ['as_ordered'] });
  const report = await waitForEnd(call, body.certification_id);
  assert.deepEqual([report.status, report.failed], ['FAILED', 1]);
  const [placed, accepted, ...rest] = report.scenarios[0].steps;
  assert.deepEqual([placed.by, placed.status], ['AISLE', 'PASSED']);
  assert.deepEqual([accepted.status, accepted.actual], ['FAILED', 'Your endpoint returned 500']);
  assert.deepEqual([placed.code, accepted.code], ['place', 'accept_received']);
  assert.deepEqual([accepted.actual_code, accepted.actual_values], ['response', { status: '500' }]);
  const { request } = accepted;
  const [message] = receiver.received;
  assert.deepEqual(
    [request.direction, request.response_status, request.response_body, request.body],
    ['TO_RECEIVER', 500, 'out of order', message?.text],
  );
  assert.equal(request.headers['webhook-signature'], message?.headers['webhook-signature']);
  assert.deepEqual(
    rest.map(({ status }: { status: string }) => status),
    ['SKIPPED', 'SKIPPED'],
  );
});

test('a message that is rejected on purpose does not make the webhook failing', async () => {
  const { call, start, receiver } = await makeReady();
  let requests = 0;
  receiver.respondWith((response) => void response.writeHead((requests += 1) === 1 ? 410 : 200).end());
  const { body } = await start({ scenarios: ['forged_then_retried'], step_seconds: 5 });
  const report = await waitForEnd(call, body.certification_id);
  const [, rejected, , accepted, fulfilled] = report.scenarios[0].steps;
  assert.deepEqual([rejected.status, accepted.status, fulfilled.status], ['PASSED', 'PASSED', 'FAILED']);
  assert.match(fulfilled.actual, /no PUT was received/);
  const [first, retried] = receiver.received;
  assert.equal(first?.headers['webhook-id'], retried?.headers['webhook-id']);
  assert.notEqual(first?.headers['webhook-signature'], retried?.headers['webhook-signature']);
  const webhook = await call('GET', '/webhook');
  assert.deepEqual([webhook.body.failing_since, webhook.body.status], [null, 'ENABLED']);
});

test('an old message has an old timestamp, which the attempt shows', async () => {
  const { call, start, receiver } = await makeReady();
  receiver.respondWith((response) => void response.writeHead(401).end());
  const { body } = await start({ scenarios: ['replayed_then_retried'] });
  const [message] = await receiver.waitFor(1, 30);
  const sentAt = Number(message?.headers['webhook-timestamp']);
  assert.ok(Date.now() / 1000 - sentAt > 500, String(sentAt));
  const report = await waitForEnd(call, body.certification_id);
  const orderId = report.scenarios[0].order_id;
  const { deliveries } = (await call('GET', `/deliveries?order_id=${orderId}`)).body;
  const received = deliveries.find(({ type }: { type: string }) => type === 'order.received');
  const delivery = (await call('GET', `/deliveries/${received.delivery_id}`)).body;
  assert.equal(delivery.attempts[0].request_headers['webhook-timestamp'], String(sentAt));
});

test('a device that takes long is looked at less often', async () => {
  const { chain, start } = await makeReady();
  const { body } = await start({ scenarios: ['as_ordered'], step_seconds: 3600 });
  const countClaims = async () => {
    const [task] = await aisle.db.query<{ claim: number }>(
      "select claim::int as claim from queue_tasks where chain_id = $1 and kind = 'certification.run'",
      [chain.chainId],
    );
    return task?.claim ?? 0;
  };
  const countSteps = async () => {
    const [row] = await aisle.db.query<{ steps: number }>(
      'select json_array_length(steps) as steps from certification_scenarios where certification_id = $1',
      [body.certification_id],
    );
    return row?.steps ?? 0;
  };
  await waitFor('the device', async () => (await countSteps()) === 2, 30);
  await aisle.db.query(
    "update certification_scenarios set step_started_at = now() - interval '20 minutes' where certification_id = $1",
    [body.certification_id],
  );
  const first = await countClaims();
  await waitFor('the next look', async () => (await countClaims()) > first);
  const second = await countClaims();
  await sleep(3000);
  assert.ok((await countClaims()) - second <= 1, `${await countClaims()} claims, ${second} before`);
});

test('a late event is not sent before the newer one', async () => {
  const { start, receiver } = await makeReady();
  await start({ scenarios: ['late_event'] });
  const messages = await receiver.waitFor(2, 30);
  assert.deepEqual(
    messages.map(({ headers, body }) => [headers['aisle-event-type'], body.revision]),
    [
      ['order.cancelled', 2],
      ['order.received', 1],
    ],
  );
});

test('a store that is not ready is told what is missing', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  const path = `/vendors/${chain.vendors[0]}/certifications`;
  const response = await callerFor(aisle, chain)('POST', path);
  assertProblem(response, 'test_order_unavailable');
  assert.deepEqual(response.body.missing, ['integration_type', 'webhook', 'integration_enabled', 'products']);
});

test('without a product sold by weight, that scenario is skipped and the certification is not complete', async () => {
  const chain = await makeChain(aisle, { vendors: 1, isSandbox: true });
  await addProducts(
    aisle,
    chain,
    ['A', 'B', 'C'].map((sku) => ({ sku, title: sku, price: 1 })),
  );
  await setWebhook(aisle, chain, { production_url: (await newReceiver()).url });
  const call = callerFor(aisle, chain);
  const { body } = await call('POST', `/vendors/${chain.vendors[0]}/certifications`, {
    body: { scenarios: ['weighed'] },
  });
  const report = await waitForEnd(call, body.certification_id);
  assert.deepEqual([report.skipped, report.is_complete, report.scenarios[0].order_id], [1, false, null]);
});

test('a certification is limited to the vendors of the token, and requires manager rights', async () => {
  const { chain, start } = await makeReady({ vendors: 2 });
  const { body } = await start({ scenarios: ['weighed'] });
  const path = `${chain.base}/certifications/${body.certification_id}`;
  const otherVendor = await makeToken(aisle, chain.chainId, {
    scopes: ['manage', 'orders:read'],
    vendor_ids: [chain.vendors[1] ?? ''],
  });
  assertProblem(await aisle.call('GET', path, { token: otherVendor }), 'certification_not_found');
  assertProblem(await aisle.call('POST', `${path}/stop`, { token: otherVendor }), 'certification_not_found');
  const list = await aisle.call('GET', `${chain.base}/certifications`, { token: otherVendor });
  assert.equal(list.body.total_items, 0);
  const noOrders = await makeToken(aisle, chain.chainId, { scopes: ['manage'] });
  assertProblem(await aisle.call('GET', path, { token: noOrders }), 'forbidden');
  const { session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  assert.equal((await aisle.call('GET', path, { token: session })).status, 200);
  assertProblem(await aisle.call('POST', `${path}/stop`, { token: session }), 'forbidden');
});

test('invalid options are rejected', async () => {
  const { start } = await makeReady();
  for (const [body, pointer] of [
    [{ step_seconds: 1 }, '/step_seconds'],
    [{ scenarios: ['nonsense'] }, '/scenarios/0'],
    [{ scenarios: [] }, '/scenarios'],
    [{ seconds: 1 }, '/seconds'],
  ] as const) {
    const response = await start(body);
    assertProblem(response, 'invalid_request');
    assert.equal(response.body.errors[0].pointer, pointer);
  }
});

test('of thousands of PUTs for an order, only a few are read, without their bodies', async () => {
  const { chainId } = await makeChain(aisle);
  const [orderId, otherId] = [newId(), newId()];
  await aisle.db.query(
    `insert into requests (chain_id, received_at, request_id, method, path, status, duration_ms, caller_kind, caller_id,
       caller_name, order_id, is_aborted, is_streamed, request_body)
     select $1, timestamptz '2026-01-01' + no * interval '1 ms', 'request-' || no, 'PUT', '/', 400, 1, 'token', 'test',
       'test', case when no = 3000 then $3::uuid else $2::uuid end, false, false, repeat('x', 100)
     from generate_series(1, 3000) as no`,
    [chainId, orderId, otherId],
  );
  const puts = await listOrderPuts(aisle.db, chainId, [orderId, otherId]);
  const known = [...range(1, 20), ...range(2980, 3000)];
  assert.deepEqual(
    puts.map(({ request_id }) => request_id),
    known.map((no) => `request-${no}`),
  );
  assert.deepEqual(Object.keys(puts[0] ?? {}).toSorted(), ['order_id', 'received_at', 'request_id', 'status']);
  const [, put] = puts;
  assert.ok(put);
  const verdict = { status: 'FAILED' as const, found: finding('no_put'), cause: { put } };
  const failed = await aisle.db.transaction((tx) => findFailedRequest(tx, chainId, verdict));
  assert.deepEqual([failed?.request_id, failed?.body], ['request-2', 'x'.repeat(100)]);
});

test('if the webhook is deleted, the certification fails and says so', async () => {
  const { call, start, receiver } = await makeReady();
  const { body } = await start({ scenarios: ['late_event'], step_seconds: 5 });
  await receiver.waitFor(1, 30);
  // The result of an attempt that is not recorded yet is discarded with the webhook.
  await waitFor('the attempt', async () => {
    const { deliveries } = (await call('GET', '/deliveries')).body;
    return deliveries.some(({ status }: { status: string }) => status === 'DELIVERED');
  });
  await call('DELETE', '/webhook');
  const report = await waitForEnd(call, body.certification_id);
  assert.equal(report.status, 'FAILED');
  assert.equal(
    report.scenarios[0].steps.find(({ status }: { status: string }) => status === 'FAILED').actual_code,
    'no_webhook',
  );
});

test('every documentation link of a step leads to an existing section', async () => {
  const links = Object.values(scenarios).flatMap(({ steps }) =>
    steps.flatMap((step) => ('page' in step ? step.page : [])),
  );
  for (const link of new Set(links)) {
    const [page, anchor] = link.split('#');
    const { status, text } = await aisle.call('GET', `/docs/${page}`);
    assert.equal(status, 200, link);
    if (anchor !== undefined) assert.ok(text.includes(`id="${anchor}"`), link);
  }
});

/** A chain whose first store is ready, and a receiver that accepts everything but does not fulfil orders. */
async function makeReady(options: { vendors?: number } = {}) {
  const chain = await makeShop(aisle, options);
  await changeVendor(aisle, chain, { settings });
  const receiver = await newReceiver();
  await setWebhook(aisle, chain, { production_url: receiver.url });
  const call = callerFor(aisle, chain);
  const start = (body?: unknown) =>
    call('POST', `/vendors/${chain.vendors[0]}/certifications`, body === undefined ? {} : { body });
  return { chain, call, start, receiver };
}

async function waitForEnd(call: ReturnType<typeof callerFor>, id: string) {
  let report = (await call('GET', `/certifications/${id}`)).body;
  await waitFor(
    'the certification',
    async () => {
      report = (await call('GET', `/certifications/${id}`)).body;
      return report.status !== 'RUNNING';
    },
    90,
    100,
  );
  return report;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
