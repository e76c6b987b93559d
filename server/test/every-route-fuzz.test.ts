import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Response, TestChain } from './support/aisle.ts';
import { type Attack, attacks, type Hints, strangePaths } from './support/attacks.ts';
import { assertDeclared, assertSane } from './support/declared.ts';
import { aisle, chain, exampleBody, idsOf, prepareChain, routes, tokenFor } from './support/every-route.ts';

/** Checks that no input causes a server error or a response that the contract does not declare. */

/** The seed is printed on failure, and AISLE_FUZZ_SEED repeats a run. Use AISLE_FUZZ_RUNS=5000 for a long run. */
const seed = Number(process.env['AISLE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env['AISLE_FUZZ_RUNS'] ?? 60);
const budgetMs = Math.max(1000, (500 * numRuns) / routes.length);

for (const [id, route] of routes) {
  test(`${id} returns only declared responses, whatever the request contains`, async () => {
    const own = await prepareChain();
    const token = route.access === 'public' ? undefined : await tokenFor(route, own);
    const hints = { ...hintsFor(own), ...textsOf(await exampleBody(id, route, own)) };
    await forAll(attacks(route, await idsOf(route, own), hints), async (attack) => {
      const response = await attackWith(attack, route.method, token);
      if (attack.leavesRoute) assertSane(response);
      else assertDeclared(route, response);
    });
  });
}

test('unknown paths return problem documents', async () => {
  await forAll(strangePaths(), async (attack) => {
    assertSane(await attackWith(attack, attack.method, chain.token));
  });
});

test('all accepted work is processed, and no background task has failed permanently', async () => {
  const deadline = Date.now() + 60_000;
  const count = async (table: string) => (await aisle.db.query(`select 1 from ${table}`)).length;
  while ((await count('queue_tasks')) > 0) {
    assert.ok(Date.now() < deadline, `${await count('queue_tasks')} tasks are still queued`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await aisle.db.query('select kind, last_error from queue_dead'), []);
});

function forAll<Input>(inputs: fc.Arbitrary<Input>, holds: (input: Input) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(inputs, holds), { seed, numRuns, interruptAfterTimeLimit: budgetMs });
}

function attackWith(attack: Attack, method: string, token: string | undefined): Promise<Response> {
  // Long polling would use up the time budget.
  const url = attack.url.replace(/\bwait=[1-9]\d*/g, 'wait=0');
  return aisle.call(method, url, {
    token,
    headers: attack.headers,
    ...(attack.raw !== undefined && { raw: attack.raw }),
  });
}

/** Returns existing values, so that the valid parts of an attack have an effect. */
function hintsFor({ vendors }: TestChain): Hints {
  return {
    sku: ['MLK-00012', 'MLK-00013', 'NEW-1', 'NEW-2'],
    vendors,
    vendor_ids: vendors,
    categories: ['dairy'],
    category_global_ids: ['dairy'],
    global_id: ['dairy', 'milk'],
    parent_global_id: ['dairy', 'milk'],
    query_term: ['milk', 'MLK', '2000'],
    external_id: ['ext-1', 'ext-9'],
  };
}

function textsOf(body: unknown): Hints {
  const texts = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.map(([name, value]) => [name, [value]]));
}
