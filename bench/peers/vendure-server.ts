/**
 * Runs Vendure: `node vendure-server.ts server|worker`, in the folder where it is installed. DATABASE_URL, PORT
 * and ADMIN_PASSWORD are set. It is not a dependency of this project, so it has no types here.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Plugin = { init(options: object): object };
type Worker = { startJobQueue(): Promise<unknown>; startHealthCheckServer(address: object): Promise<unknown> };
type Vendure = {
  bootstrap(config: object): Promise<unknown>;
  bootstrapWorker(config: object): Promise<Worker>;
  DefaultJobQueuePlugin: Plugin;
  DefaultSearchPlugin: Plugin;
  DefaultLogger: new (options: object) => object;
  dummyPaymentHandler: object;
};

const vendure = createRequire(join(process.cwd(), 'package.json'))('@vendure/core') as Vendure;
const { DATABASE_URL: databaseUrl = '', PORT: port, ADMIN_PASSWORD: adminPassword } = process.env;
const role = process.argv[2];

const config = {
  logger: new vendure.DefaultLogger({ level: 1 }),
  apiOptions: { hostname: '127.0.0.1', port: Number(port) },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'bench', password: adminPassword },
  },
  // The tables are created by the server. The worker is started after it.
  dbConnectionOptions: { type: 'postgres', ...addressOf(databaseUrl), synchronize: role === 'server', logging: false },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  plugins: [
    vendure.DefaultJobQueuePlugin.init({ pollInterval: 200 }),
    // Changes are collected instead of updating the index at once, which would create a job for every variant whose
    // stock changes. The benchmark rebuilds the index instead of applying them, because 3.7.3 applies 50 of them only.
    vendure.DefaultSearchPlugin.init({ bufferUpdates: true, indexStockStatus: true }),
  ],
};

if (role === 'worker') {
  const worker = await vendure.bootstrapWorker(config);
  await worker.startJobQueue();
  await worker.startHealthCheckServer({ hostname: '127.0.0.1', port: Number(port) });
} else {
  await vendure.bootstrap(config);
}

/** The parts of the URL, because the folder of a Unix socket is in its query. */
function addressOf(url: string): object {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port),
    username,
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
}
