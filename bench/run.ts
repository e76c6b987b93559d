import { type Benchmarks, runAll } from './all.ts';

/**
 * npm run bench [NAME …]: each benchmark prints Aisle's result, the baseline from the same run, and the ratio. `all` runs
 * them all and writes the results to the README.
 */
const benchmarks: Benchmarks = {
  read: () => import('./read.ts'),
  catalog: () => import('./catalog.ts'),
  orders: () => import('./orders.ts'),
  'round-trips': () => import('./round-trips.ts'),
  reconcile: () => import('./reconcile.ts'),
  changes: () => import('./changes.ts'),
  webhooks: () => import('./webhooks.ts'),
  promotions: () => import('./promotions.ts'),
  portal: () => import('./portal.ts'),
  compression: () => import('./compression.ts'),
  sftp: () => import('./sftp.ts'),
  preview: () => import('./preview.ts'),
  'request-log': () => import('./request-log.ts'),
};

/** Not part of `all`, because they have no baseline, need a cluster, or install other software. */
const experiments: Benchmarks = {
  capacity: () => import('./capacity.ts'),
  cluster: () => import('./cluster.ts'),
  peers: () => import('./peers.ts'),
};

const names = process.argv.slice(2);
if (names[0] === 'all') {
  await runAll(benchmarks);
  process.exit();
}
const available = { ...benchmarks, ...experiments };
const unknown = names.filter((name) => !(name in available));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: all, ${Object.keys(available).join(', ')}.`);
  process.exit(1);
}
for (const name of names.length > 0 ? names : ['read']) {
  const benchmark = await available[name]?.();
  await benchmark?.run();
}
