import { type Aisle, type Role, startAisle } from './app.ts';
import { createCleanup } from './cleanup.ts';
import { readConfig } from './config.ts';
import { type DemoFile, seedDemo } from './demo/index.ts';
import type { Database } from './kernel/database/db.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';
import { serveConnections } from './kernel/http/listen-on.ts';
import { createServerLog } from './kernel/monitoring/terminal-log.ts';
import { linkToSupervisor, type SupervisorLink } from './processes/index.ts';
import { connect, migrations } from './start-database.ts';

/** What the supervisor passes to a process. The database is migrated, and the keys can decrypt its secrets. */
export type StartValues = {
  role: Role;
  port: number;
  sftpPort: number | null;
  secretKeys: readonly Buffer[];
  databaseUrl: string;
  seedsDemo: boolean;
  /** The fingerprint of the SFTP host key. */
  fingerprint: string | undefined;
};
export type Seeded = { file: string; content: DemoFile };

/** Runs as one of several processes. The supervisor listens, and passes connections on. */
export async function serveProcess(): Promise<void> {
  const cleanup = createCleanup();
  let abandonDatabase: (() => void) | undefined;
  const exit = () => cleanup.run().then(() => process.exit(0), fail);
  const link = await linkToSupervisor({
    onStop: () => void exit(),
    onLost() {
      abandonDatabase?.();
      void exit();
    },
  });
  try {
    const values = link.values as StartValues;
    const { role, databaseUrl, seedsDemo, fingerprint } = values;
    const config = readConfig(process.env, values);
    const log = createServerLog(config.logLevel, process.stdout, process.env, { process: link.number });
    const db = connect(databaseUrl, `aisle ${role} ${link.number}`, config, log);
    cleanup.add(db.close);
    abandonDatabase = config.databaseUrl === null ? () => giveUp(db) : undefined;
    const aisle = await startAisle({ config, db, databaseUrl, log, migrations, member: link.member }, role);
    cleanup.add(aisle.stop);
    await acceptConnections(aisle, values, link);
    link.send({ type: 'ready', values: undefined });
    if (seedsDemo) {
      const seeded: Seeded = await seedDemo(db.withoutTimeout, config, console.log, fingerprint);
      link.send({ type: 'done', values: seeded });
    }
  } catch (error) {
    if (!cleanup.hasStarted()) fail(error, link);
  }
}

/** The embedded database stops with the supervisor, so requests can no longer succeed. */
function giveUp(db: Database): void {
  db.abandon();
  setTimeout(() => process.exit(1), 1500);
}

async function acceptConnections(aisle: Aisle, { sftpPort }: StartValues, link: SupervisorLink): Promise<void> {
  const { http, metricsHttp, sftp } = aisle;
  link.onConnection('http', await serveConnections(http));
  if (metricsHttp) link.onConnection('metrics', await serveConnections(metricsHttp));
  if (sftp && sftpPort !== null) {
    await sftp.start(sftpPort);
    link.onConnection('sftp', sftp.accept);
  }
}

function fail(error: unknown, link?: SupervisorLink): void {
  if (error instanceof OperatorError) link?.send({ type: 'failed', message: error.message });
  else console.error(error);
  process.exitCode = 1;
  // The message must be sent before the process exits.
  setTimeout(() => process.exit(1), 100);
}
