import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../cli/src/simulate/report.ts';
import { startKilledWorkers } from '../simulate/killed-workers.ts';
import { makeFolder } from './support/folder.ts';
import { root } from './support/launch.ts';
import { waitFor } from './support/wait.ts';

/** Runs `aisle simulate` in its own process, next to workers that are killed every few seconds. */
const { folder, remove } = makeFolder();
const cluster = await startKilledWorkers(folder, 7);
after(async () => {
  await cluster.stop();
  remove();
});

test('a simulation has no violations while workers are killed', async () => {
  const before = cluster.kills();
  const run = simulate('--seed', '7', '--orders-per-minute', '600', '--duration', '15s', '--stores', '6', '--json');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stdout + stderr);
  const { seed, orders, checked, violations, latencies } = JSON.parse(stdout) as Report;
  assert.deepEqual([seed, orders.planned, violations], [7, 150, []]);
  assert.ok(cluster.kills() > before);
  assert.ok(orders.accepted > 0 && checked.orders >= orders.accepted && checked.events > checked.orders);
  assert.equal(checked.deliveries, checked.events);
  assert.equal(checked.offers, 6 * 35);
  assert.ok((latencies['place']?.count ?? 0) >= orders.sent);
});

test('Ctrl-C ends the day early, and the orders so far are checked', async () => {
  const run = simulate('--orders-per-minute', '300', '--duration', '10m', '--stores', '2');
  await waitFor(90, 'orders', () => /customers are ordering, [1-9]/.test(run.stdout()) || undefined);
  run.interrupt();
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stdout + stderr);
  const [, sent = '', planned = ''] = /Orders +(\d+) of ([\d,]+) planned orders sent/.exec(stdout) ?? [];
  assert.ok(Number(sent) > 0 && Number(sent) < 3000, stdout);
  assert.equal(planned, '3,000');
  assert.match(stdout, /✓ 0 violations: every order, unit of stock and event adds up\./);
  assert.doesNotMatch(stdout, /could not be sent/);
});

test('an event that the server loses is reported with the history of its order, and the exit code is 8', async () => {
  // The simulation waits a long time for the event, in which workers would be started again and again.
  cluster.spare();
  const run = simulate('--seed', '3', '--orders-per-minute', '120', '--duration', '10s', '--stores', '2');
  const lost = loseEvent();
  const { code, stdout, stderr } = await run.ended;
  const orderId = await lost;
  assert.equal(code, 8, stdout + stderr);
  assert.match(stdout, /✗ no event is lost: 1\n/);
  assert.ok(stdout.includes(`order ${orderId}: no order.received for revision 1`), stdout);
  assert.match(stdout, /op\d+ place acknowledged after \d+ attempts 201 RECEIVED revision 1/);
  assert.match(stderr, /Error: \d+ violations? found\./);
});

/** Deletes the first event of a new order from the outbox, as if it had never been recorded. */
async function loseEvent(): Promise<string> {
  await cluster.db.query(
    `create function lose_event() returns trigger language plpgsql as $$
      begin
        if new.type = 'order.received' and not exists (select from lost_events) then
          insert into lost_events values (new.order_id);
          return null;
        end if;
        return new;
      end $$`,
  );
  await cluster.db.query('create table lost_events (order_id uuid)');
  await cluster.db.query(
    'create trigger lose_event before insert on events for each row execute function lose_event()',
  );
  const [row] = await waitFor(120, 'the lost event', async () => {
    await sleep(200);
    const rows = await cluster.db.query<{ order_id: string }>('select order_id from lost_events');
    return rows.length > 0 ? rows : undefined;
  });
  return row?.order_id ?? '';
}

function simulate(...options: string[]) {
  const env = { ...process.env, AISLE_URL: cluster.url, AISLE_PLATFORM_TOKEN: cluster.platformToken, AISLE_TOKEN: '' };
  const child = spawn(process.execPath, [join(root, 'cli/src/main.ts'), 'simulate', ...options], { env });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
  return { stdout, ended, interrupt: () => void child.kill('SIGINT') };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (part) => (text += String(part)));
  return () => text;
}
