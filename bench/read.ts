import { runBareSql } from './read-sql.ts';
import { load } from './support/load.ts';
import { aisleModule, startDatabase, startProcess } from './support/processes.ts';
import { createStores } from './support/stores.ts';
import { median, printTable, ratio, type Row, summarize, thousands } from './support/report.ts';

/**
 * npm run bench read: measures an authenticated, validated, rate-limited and logged GET request for 20 stores. The
 * baseline is a bare Fastify route with the same SQL.
 */
export async function run(): Promise<void> {
  console.log('Benchmark read: alternates between an authenticated GET and its baselines, five rounds of 4 s each …');
  const database = await startDatabase();
  const { chainId, token } = await createStores(database.db);
  const environment = { DATABASE_URL: database.url, BENCH_CHAIN: chainId, AISLE_RATE_LIMITS: 'read=100000000' };
  const aisle = await startProcess(aisleModule, ['api'], { ...environment, AISLE_LOG_LEVEL: 'info' });
  const bare = await startProcess(new URL('./read-bare.ts', import.meta.url), [], environment);
  const path = `/v2/chains/${chainId}/vendors`;
  const rates = { aisle: [] as number[], bare: [] as number[], sql: [] as number[] };
  for (let round = 0; round < 6; round++) {
    const one = {
      bare: await load(`${bare.url}/bare`, {}, 4),
      aisle: await load(`${aisle.url}${path}`, { authorization: `Bearer ${token}` }, 4),
      sql: await runBareSql(database.db, chainId, 2),
    };
    if (round === 0) continue; // warm-up
    for (const key of ['aisle', 'bare', 'sql'] as const) rates[key].push(one[key]);
    console.log(
      `  round ${round}: Aisle ${thousands(one.aisle)}/s, bare Fastify ${thousands(one.bare)}/s, ratio ${ratio(one.aisle, one.bare)}`,
    );
  }
  await Promise.all([aisle.stop(), bare.stop()]);
  await database.stop();
  const [aisleRate, bareRate, sqlRate] = [median(rates.aisle), median(rates.bare), median(rates.sql)];
  summarize(
    'authenticated GET, 20 stores, 16 clients',
    `${thousands(aisleRate)} requests/s`,
    `bare Fastify route, same SQL: ${thousands(bareRate)}/s`,
    ratio(aisleRate, bareRate),
    '≥ 0.75',
  );
  const row = (baseline: string, rate: number, target: string): Row => ({
    Baseline: baseline,
    'Aisle (requests/s)': thousands(aisleRate),
    'Baseline (requests/s)': thousands(rate),
    Ratio: ratio(aisleRate, rate),
    Target: target,
  });
  printTable('Authenticated GET request for 20 stores, 16 connections, median of 5 rounds', [
    row('bare Fastify route, same SQL', bareRate, '≥ 0.75'),
    row('bare SQL, same driver', sqlRate, ''),
  ]);
}
