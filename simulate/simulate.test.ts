import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { simulate } from './run.ts';

/**
 * Short simulations with three seeds, and one for each planted bug. AISLE_SIMULATE_SECONDS sets the duration of each.
 * `npm run simulate -- --minutes 60` runs one simulation for an hour.
 */
const seconds = Number(process.env['AISLE_SIMULATE_SECONDS'] ?? 6);

describe('simulations', { concurrency: 2 }, () => {
  for (const seed of [11, 12, 13]) {
    test(`nothing is lost, repeated or mixed up under the faults of seed ${seed}`, async (t) => {
      const { orders, events, faults, violations, folder } = await simulate({ seed, seconds, minOrders: 10 });
      t.diagnostic(`${orders} orders, ${events} events, ${faults.length} faults`);
      assert.deepEqual(violations, [], `see ${folder}/logs`);
      assert.ok(faults.length > 0 && orders >= 10 && events > orders);
    });
  }

  for (const [plant, rule] of [
    ['lost-event', 'no event is lost'],
    ['double-stock', 'stock arithmetic'],
    ['wrong-order', 'events in order'],
  ] as const) {
    test(`the planted bug ${plant} is reported with its history and the command to replay it`, async () => {
      const args = ['--seed', '7', '--minutes', String(seconds / 60), '--plant', plant];
      const { code, stdout, stderr } = await runMain(args);
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout, new RegExp(`✖ ${rule}: [1-9]`));
      assert.match(stdout, plant === 'double-stock' ? /order \S+ holds \d+ / : /chain-\d-op\d+ place acknowledged/);
      const [, folder = ''] = /The logs of the processes are in (.+)\/logs\./.exec(stdout) ?? [];
      rmSync(folder, { recursive: true });
      assert.ok(stdout.endsWith(`Replay with: npm run simulate -- ${args.join(' ')}\n`), stdout.slice(-300));
    });
  }

  for (const [args, message] of [
    [['--seed', 'x'], '--seed must be a non-negative integer.'],
    [['--minutes', '0'], '--minutes must be greater than 0 and at most 1440.'],
    [['--plant', 'weeds'], '--plant must be one of lost-event, double-stock, wrong-order.'],
  ] as const) {
    test(`${args.join(' ')} is rejected with a list of the allowed values`, async () => {
      const { code, stderr } = await runMain(args);
      assert.deepEqual([code, stderr.split('\n')[0]], [2, message]);
    });
  }
});

function runMain(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = fileURLToPath(new URL('./main.ts', import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
