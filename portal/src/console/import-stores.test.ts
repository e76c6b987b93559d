import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../api/api-error.ts';
import { loadMessages } from '../messages/language.ts';
import { type Imported, importStores } from './import-stores.ts';
import type { NewStore, StoreRow } from './stores-csv.ts';

await Promise.all([loadMessages('start'), loadMessages('console')]);

const rows = Array.from({ length: 250 }, (_, index) => ({
  row: index + 2,
  store: { name: `S${index}` },
})) as StoreRow[];

/** A server that has some stores, and rejects those with these names, one per response. */
function serverWith(existing: string[], rejected: string[]) {
  const sizes: number[] = [];
  return {
    sizes,
    async send(vendors: NewStore[]) {
      sizes.push(vendors.length);
      const bad = vendors.findIndex(({ name }) => rejected.includes(name));
      if (bad >= 0) {
        const error = {
          pointer: `/vendors/${bad}/currency`,
          code: 'not_allowed',
          message: 'must be a currency',
        } as const;
        throw new ApiError(400, { errors: [error] });
      }
      return {
        results: vendors.map(({ name }) => ({
          result: existing.includes(name) ? ('EXISTS' as const) : ('CREATED' as const),
        })),
      };
    },
  };
}

test('stores are sent in parts of 100, with progress after each', async () => {
  const { sizes, send } = serverWith(['S7'], []);
  const progress: Imported[] = [];
  await importStores(rows, send, (imported) => progress.push(imported));
  assert.deepEqual(sizes, [100, 100, 50]);
  assert.deepEqual(
    progress.map(({ created, existing }) => [created, existing]),
    [
      [0, 0],
      [99, 1],
      [199, 1],
      [249, 1],
    ],
  );
});

test('rows that the server rejects are left out and reported with their row', async () => {
  const { send } = serverWith([], ['S3', 'S120', 'S121']);
  let last: Imported | undefined;
  await importStores(rows, send, (imported) => {
    last = imported;
  });
  assert.equal(last?.created, 247);
  assert.deepEqual(
    last?.problems.map(({ row, problem }) => [row, problem]),
    [
      [5, 'rejected'],
      [122, 'rejected'],
      [123, 'rejected'],
    ],
  );
  assert.match(last?.problems[0]?.value ?? '', /^currency: /);
});

test('another failure stops the import', async () => {
  const send = () => Promise.reject(new ApiError(503, {}));
  await assert.rejects(
    importStores(rows, send, () => {}),
    ApiError,
  );
});
