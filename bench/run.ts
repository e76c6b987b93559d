/** npm run bench [NAME …]: each bench prints our figure, the limit's from the same run, and the ratio. */
const benches: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  read: () => import('./read.ts'),
  catalog: () => import('./catalog.ts'),
  orders: () => import('./orders.ts'),
  webhooks: () => import('./webhooks.ts'),
  promotions: () => import('./promotions.ts'),
  portal: () => import('./portal.ts'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
for (const name of names.length > 0 ? names : ['read']) {
  const bench = await benches[name]?.();
  await bench?.run();
}
