import autocannon from 'autocannon';
import { aisleModule, type Running, startDatabase, startProcess } from './support/processes.ts';
import { median, printTable, summarize, thousands } from './support/report.ts';
import { createStores } from './support/stores.ts';

const chains = 8;
const starts = Number(process.env['BENCH_STARTS'] ?? 2);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 4);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
/** The time V8 needs to optimize the code. Until then, extra code slows requests down disproportionately. */
const warmUpSeconds = Number(process.env['BENCH_WARM_UP'] ?? 14);

/**
 * npm run bench request-log: measures the throughput of an authenticated GET request for 20 stores, with the request
 * log on and off. This is one of the fastest routes, so logging costs relatively more here than elsewhere. Fails if a
 * request was not recorded.
 */
export async function run(): Promise<void> {
  console.log(`Benchmark request-log: alternates between on and off, ${starts * rounds} rounds of ${seconds} s each …`);
  const database = await startDatabase();
  const requests: autocannon.Request[] = [];
  for (let index = 0; index < chains; index++) {
    const { chainId, token } = await createStores(database.db);
    requests.push({ path: `/v2/chains/${chainId}/vendors`, headers: { authorization: `Bearer ${token}` } });
  }
  const environment = {
    DATABASE_URL: database.url,
    AISLE_RATE_LIMITS: 'read=100000000',
    AISLE_REQUEST_LOG_RATE: '100000',
    AISLE_LOG_LEVEL: 'info',
  };
  const pairs: Pair[] = [];
  for (let start = 0; start < starts; start++) {
    pairs.push(...(await compare(environment, requests, start * rounds)));
  }
  const [recorded] = await database.db.query<{ count: number }>('select count(*)::int as count from requests');
  await database.stop();
  const completed = pairs.reduce((sum, pair) => sum + pair.on.completed, 0);
  if ((recorded?.count ?? 0) < completed) {
    throw new Error(`Only ${recorded?.count} of ${completed} requests were recorded.`);
  }
  report(pairs);
}

/** Uses new processes for every call, because two identical processes can differ in speed by several percent. */
async function compare(
  environment: Record<string, string>,
  requests: autocannon.Request[],
  done: number,
): Promise<Pair[]> {
  const on = await startProcess(aisleModule, ['api'], { ...environment, AISLE_REQUEST_LOG: 'on' });
  const off = await startProcess(aisleModule, ['api'], { ...environment, AISLE_REQUEST_LOG: 'off' });
  await load(on, requests, warmUpSeconds);
  await load(off, requests, warmUpSeconds);
  const pairs: Pair[] = [];
  for (let round = 1; round <= rounds; round++) {
    // The two processes take turns going first, so that changes in machine speed affect both equally.
    const early = round % 2 === 0 ? await load(on, requests) : undefined;
    const withoutLog = await load(off, requests);
    const pair = { on: early ?? (await load(on, requests)), off: withoutLog };
    pairs.push(pair);
    const rates = `on ${thousands(pair.on.rate)}/s, off ${thousands(pair.off.rate)}/s`;
    console.log(`  round ${done + round}: ${rates}, cost ${cost(pair.on.rate / pair.off.rate)}`);
  }
  await Promise.all([on.stop(), off.stop()]);
  return pairs;
}

type Pair = { on: Load; off: Load };
type Load = { rate: number; completed: number; cpuMicros: number };

async function load(aisle: Running, requests: autocannon.Request[], duration = seconds): Promise<Load> {
  const before = await cpuSeconds(aisle);
  const result = await autocannon({ url: aisle.url, requests, connections: 16, duration });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors} requests failed.`);
  }
  const completed = result['2xx'];
  const cpuMicros = (((await cpuSeconds(aisle)) - before) / completed) * 1e6;
  return { rate: result.requests.average, completed, cpuMicros };
}

async function cpuSeconds({ url }: Running): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

function report(pairs: Pair[]): void {
  const of = (value: (pair: Pair) => number) => median(pairs.map(value));
  const columns = ['Log on', 'Log off', 'Cost of logging', 'Target'] as const;
  const row = (what: string, ...cells: string[]) => ({
    '': what,
    ...Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])),
  });
  const [onRate, offRate] = [of((pair) => pair.on.rate), of((pair) => pair.off.rate)];
  const [onCpu, offCpu] = [of((pair) => pair.on.cpuMicros), of((pair) => pair.off.cpuMicros)];
  summarize(
    'GET request for 20 stores with the request log on',
    `${thousands(onRate)} requests/s`,
    `log off: ${thousands(offRate)}/s`,
    of(({ on, off }) => on.rate / off.rate).toFixed(3),
    '≥ 0.95',
  );
  printTable(`GET request for 20 stores, 16 connections, ${chains} chains, median of ${pairs.length} rounds`, [
    row('requests/s', thousands(onRate), thousands(offRate), cost(of(({ on, off }) => on.rate / off.rate)), '< 5 %'),
    row('API process CPU time per request', micros(onCpu), micros(offCpu), cost(offCpu / onCpu)),
  ]);
}

function cost(ratio: number): string {
  return `${((1 - ratio) * 100).toFixed(1)} %`;
}

function micros(value: number): string {
  return `${value.toFixed(0)} µs`;
}
