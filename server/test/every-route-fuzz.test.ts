import assert from 'node:assert/strict';
import test from 'node:test';
import { runFuzz } from './fuzz/fuzz.ts';
import { aisle, routes } from './support/every-route.ts';

/**
 * Checks that no series of requests causes a server error or a response that the contract does not declare.
 * `npm run fuzz` sends more requests, and can repeat a failed round.
 */
const requests = Number(process.env['AISLE_FUZZ_REQUESTS'] ?? 5000);
const seed = Number(process.env['AISLE_FUZZ_SEED'] ?? 1);
const only = process.env['AISLE_FUZZ_ROUND'];

test(`sequences of valid and hostile requests get only declared responses (seed ${seed})`, async (t) => {
  const started = performance.now();
  const onProgress = (sent: number) => {
    if (sent % 5000 !== 0) return;
    const seconds = (performance.now() - started) / 1000;
    console.log(`${sent} of ${requests} requests, ${Math.round(sent / seconds)} per second`);
  };
  const round = only === undefined ? undefined : Number(only);
  const { operations, ...counts } = await runFuzz({ seed, requests, only: round, onProgress });
  t.diagnostic(`${counts.requests} requests in ${counts.rounds} rounds`);
  if (round !== undefined || requests < 4000) return;
  const untried = routes.filter(([id]) => !operations.get(id)?.successes).map(([id]) => id);
  assert.deepEqual(untried, [], 'these operations never succeeded, so the requests do not reach their code');
});

test('all accepted work is processed, and no background task has failed permanently', async () => {
  const deadline = Date.now() + 60_000;
  // The dead tasks of the tests have no handler.
  await aisle.db.query("delete from queue_dead where kind = 'test.kind'");
  for (;;) {
    await aisle.db.query("delete from queue_tasks where kind = 'test.kind'");
    const queued = await aisle.db.query('select kind, attempts, run_at, last_error from queue_tasks');
    if (queued.length === 0) break;
    assert.ok(Date.now() < deadline, `tasks are still queued: ${JSON.stringify(queued)}`);
    // Simulated riders, scheduled jobs and deadlines of approvals wait, so their tasks are made due now, unless a worker has claimed them.
    await aisle.db.query(
      `update queue_tasks set run_at = now()
       where kind in ('sandbox.ride', 'jobs.start', 'orders.expire_approval') and attempts = 0 and run_at < 'infinity'`,
    );
    // Certifications wait for a picker, which there is not.
    await aisle.db.query('update certifications set step_seconds = 5 where step_seconds > 5');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await aisle.db.query('select kind, last_error from queue_dead'), []);
});
