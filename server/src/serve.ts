import { type Role, startAisle } from './app.ts';
import type { Cleanup } from './cleanup.ts';
import { type Config, readConfig } from './config.ts';
import { seedDemo } from './demo/index.ts';
import { createServerLog } from './kernel/monitoring/terminal-log.ts';
import { reserveAddresses } from './reserve-addresses.ts';
import { getSecretKeys } from './secret-keys.ts';
import { migrations, openMigratedDatabase } from './start-database.ts';
import { welcome } from './welcome.ts';

/** Runs the role in this process. The configuration is complete before the application is built. */
export async function serve(role: Role, given: Config, cleanup: Cleanup): Promise<void> {
  const log = createServerLog(given.logLevel, process.stdout, process.env);
  const addresses = await reserveAddresses(role, given, cleanup);
  const { db, databaseUrl } = await openMigratedDatabase(role, given, log, cleanup);
  const config = readConfig(process.env, {
    port: addresses.http.port,
    sftpPort: addresses.sftp?.port ?? null,
    secretKeys: await getSecretKeys(db, given, log),
  });
  const aisle = await startAisle({ config, db, databaseUrl, log, migrations }, role);
  cleanup.add(aisle.stop);
  await addresses.http.handOverToHttp(aisle.http);
  if (aisle.metricsHttp) await addresses.metrics?.handOverToHttp(aisle.metricsHttp);
  if (aisle.sftp) await addresses.sftp?.handOver(aisle.sftp.listen);
  const { fingerprint } = aisle.sftp ?? {};
  const demo =
    config.demo && role === 'all' ? await seedDemo(db.withoutTimeout, config, console.log, fingerprint) : undefined;
  // A signal may have arrived while the demo was being seeded.
  if (!cleanup.hasStarted()) console.log(welcome(role, config, demo, fingerprint));
}
