import { createToken, createVendor, insertChain } from '../server/src/identity/index.ts';
import { newId } from '../server/src/kernel/values/ids.ts';
import { runBareSql } from './read-sql.ts';
import { load } from './support/load.ts';
import { aisleModule, startDatabase, startProcess } from './support/processes.ts';
import { median, printTable, ratio, thousands } from './support/report.ts';

/** An authenticated, validated, rate-limited, logged GET of 20 stores, against a bare Fastify route with the same SQL. */
export async function run(): Promise<void> {
  console.log('Bench read: an authenticated GET against its limits, in turn, five rounds of 4 s each …');
  const database = await startDatabase();
  const chainId = newId();
  const token = await database.db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    for (let index = 0; index < 20; index++) {
      await createVendor(tx, chainId, {
        name: `Store ${index}`,
        currency: 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
      });
    }
    return (await createToken(tx, chainId, { name: 'bench' }, 11)).token;
  });
  const environment = { DATABASE_URL: database.url, BENCH_CHAIN: chainId, AISLE_RATE_LIMITS: 'read=100000000' };
  const aisle = await startProcess(aisleModule, ['api'], { ...environment, AISLE_LOG_LEVEL: 'info' });
  const bare = await startProcess(new URL('./read-bare.ts', import.meta.url), [], environment);
  const path = `/v2/chains/${chainId}/vendors`;
  const figures = { ours: [] as number[], bare: [] as number[], sql: [] as number[] };
  for (let round = 0; round < 6; round++) {
    const one = {
      bare: await load(`${bare.url}/bare`, {}, 4),
      ours: await load(`${aisle.url}${path}`, { authorization: `Bearer ${token}` }, 4),
      sql: await runBareSql(database.db, chainId, 2),
    };
    if (round === 0) continue; // warm-up
    for (const key of ['ours', 'bare', 'sql'] as const) figures[key].push(one[key]);
    console.log(
      `  round ${round}: ours ${thousands(one.ours)}/s, bare Fastify ${thousands(one.bare)}/s, ratio ${ratio(one.ours, one.bare)}`,
    );
  }
  await Promise.all([aisle.stop(), bare.stop()]);
  await database.stop();
  const [ours, limit, sql] = [median(figures.ours), median(figures.bare), median(figures.sql)];
  printTable('Authenticated GET of 20 stores, 16 connections, median of 5 rounds', [
    { what: 'Aisle', 'requests/s': thousands(ours), 'Aisle against it': '1.00', wanted: '' },
    {
      what: 'bare Fastify route, same SQL',
      'requests/s': thousands(limit),
      'Aisle against it': ratio(ours, limit),
      wanted: '≥ 0.5',
    },
    { what: 'bare SQL, same driver', 'requests/s': thousands(sql), 'Aisle against it': ratio(ours, sql), wanted: '' },
  ]);
}
