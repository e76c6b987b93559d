import { recordCommand } from './audit/index.ts';
import { backedUpFiles, backUp, loadBackup, openBackup, writeBackedUpFiles } from './backup.ts';
import { type Cleanup, createCleanup } from './cleanup.ts';
import {
  checkWholeCluster,
  describeCluster,
  distribute,
  migrateCluster,
  moveChain,
  rebalanceShards,
} from './cluster/index.ts';
import type { Config } from './config.ts';
import { findRunningPostgres, hasCluster, replaceData } from './embedded/index.ts';
import {
  createPlatformToken,
  discardFactors,
  invitePlatformUser,
  makeSecret,
  platformId,
  platformRoleOf,
} from './identity/index.ts';
import type { Database } from './kernel/database/db.ts';
import { createLog } from './kernel/monitoring/log.ts';
import { getOrCreateKeys } from './secret-keys.ts';
import { migrations, openDatabaseFor, StartError, startDatabase } from './start-database.ts';
import { discardSecrets } from './webhooks/index.ts';

export async function runCommand(role: string, rest: string[], config: Config, cleanup: Cleanup): Promise<void> {
  if (role === 'backup' || role === 'restore') return copyEmbedded(role, rest, config, cleanup);
  const running = findRunningFor(role, config);
  const opened = running === undefined ? config : { ...config, databaseUrl: running };
  const { db } = await openDatabaseFor(role, opened, createLog(config.logLevel), cleanup);
  if (role === 'cluster-status') console.log(await describeCluster(db));
  else if (role === 'rebalance') console.log(await rebalanceShards(db));
  else if (role === 'move-chain') console.log(await moveOne(db, rest));
  else await changeDatabase(role, rest, db, opened);
  await cleanup.run();
}

function moveOne(db: Database, rest: string[]): Promise<string> {
  const [chainId = '', address = ''] = rest.filter((argument) => argument !== '--block-writes');
  return moveChain(db, chainId, address, { blocksWrites: rest.includes('--block-writes') });
}

/** Access can be granted while a server uses the embedded database. */
function findRunningFor(role: string, { databaseUrl, dataDir }: Config): string | undefined {
  const isGrant = role === 'platform-token' || role === 'platform-user';
  return isGrant && databaseUrl === null ? findRunningPostgres(dataDir) : undefined;
}

async function changeDatabase(role: string, rest: string[], db: Database, config: Config): Promise<void> {
  // The tables must not be created on a worker, or on another server.
  if (role === 'distribute') await checkWholeCluster(db);
  await migrateCluster(db, migrations);
  if (role === 'migrate') console.log('The database is up to date.');
  else if (role === 'platform-token') console.log(await createToken(db, rest.join(' ')));
  else if (role === 'platform-user') console.log(await inviteOperator(db, rest[0] ?? '', config));
  else if (role === 'distribute') console.log(await distributeTables(db, rest));
  else console.log(await giveUpSecrets(db, config));
}

function createToken(db: Database, name: string): Promise<string> {
  return createPlatformToken(db, name, (tx) => recordCommand(tx, 'platform-token', { name }));
}

/** The first user of the console is created on the server. Anyone who can start the program can do it. */
async function inviteOperator(db: Database, email: string, config: Config): Promise<string> {
  const { passwordCost, links, databaseUrl } = config;
  const secret = await makeSecret(platformId, passwordCost);
  const { user, isNew, token, expiresAt } = await db.transaction(async (tx) => {
    const invited = await invitePlatformUser(tx, email, secret);
    await recordCommand(tx, 'platform-user', { user_id: invited.user.user_id });
    return invited;
  });
  const who = `${user.email} ${isNew ? 'is now' : 'is already'} a user of the console, with the role ${platformRoleOf(user.role)}.`;
  const others = isNew ? '' : ' Earlier links no longer work.';
  return [
    who,
    `Set a password with this link. It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.${others}`,
    `${links.console}/invitation#${token}`,
    ...(databaseUrl === null ? ['Start Aisle (npm start) before you open it.'] : []),
  ].join('\n');
}

async function distributeTables(db: Database, rest: string[]): Promise<string> {
  const changed = await distribute(db, { withData: rest.includes('--with-data') });
  if (changed.length === 0) return 'The database is already distributed; nothing was changed.';
  return `The database is distributed. Tables that were placed: ${changed.length}.`;
}

async function giveUpSecrets(db: Database, config: Config): Promise<string> {
  const keys = getOrCreateKeys(config);
  if (keys.length === 0) throw new StartError('Set AISLE_SECRET_KEY to the key that will encrypt the new secrets.');
  const webhooks = await discardSecrets(db, keys);
  const factors = await discardFactors(db, keys);
  if (webhooks + factors === 0) return 'Every webhook secret and second factor can be decrypted; nothing was changed.';
  return [
    `Webhooks with a new signing secret and without authorization: ${webhooks}. Their owners must rotate the signing secret and enter the authorization again.`,
    `Users whose second factor was turned off: ${factors}. They sign in with the password alone until they set it up again.`,
  ].join('\n');
}

async function copyEmbedded(role: string, rest: string[], config: Config, cleanup: Cleanup): Promise<void> {
  const [file, ...more] = rest.filter((argument) => argument !== '--overwrite');
  const overwrite = rest.includes('--overwrite');
  if (file === undefined || more.length > 0 || file.startsWith('-') || (role === 'backup' && overwrite)) {
    throw new StartError(`Name one file: npm start -- ${role} FILE${role === 'restore' ? ' [--overwrite]' : ''}.`);
  }
  if (config.databaseUrl !== null) {
    throw new StartError(
      `${role} is for the embedded database, but DATABASE_URL is set; use pg_basebackup or pg_dump, as described in the operator guide.`,
    );
  }
  const abort = new AbortController();
  const working =
    role === 'backup'
      ? backUpFolder(file, config, abort.signal, cleanup)
      : restoreFolder(file, overwrite, config, cleanup);
  let isDone = false;
  const finished = working.finally(() => {
    isDone = true;
  });
  // After a signal, unfinished files are deleted before the process exits.
  cleanup.add(() => finished.catch(() => {}));
  cleanup.add(() => {
    if (!isDone) finished.catch(() => reportInterruption(role));
    abort.abort();
  });
  await finished;
  await cleanup.run();
}

/** A script must not take this for success. */
function reportInterruption(role: string): void {
  console.error(`The ${role} was interrupted.`);
  process.exitCode = 1;
}

async function backUpFolder(file: string, config: Config, signal: AbortSignal, cleanup: Cleanup): Promise<void> {
  const { dataDir } = config;
  if (!hasCluster(dataDir)) throw new StartError(`There is no database in ${dataDir}; set AISLE_DATA_DIR.`);
  const url = findRunningPostgres(dataDir) ?? (await startDatabase('backup', config, cleanup)).url;
  await backUp(url, { dataDir, file, print: console.log, signal });
}

async function restoreFolder(file: string, overwrite: boolean, config: Config, cleanup: Cleanup): Promise<void> {
  const backup = await openBackup(file, migrations);
  const { dataDir } = config;
  await replaceData({ dataDir, overwrite, files: backedUpFiles }, async (folder) => {
    const started = createCleanup();
    cleanup.add(started.run);
    try {
      const { db } = await openDatabaseFor('restore', { ...config, dataDir: folder }, createLog('silent'), started);
      await loadBackup(db, backup, migrations, console.log);
    } finally {
      await started.run();
    }
    writeBackedUpFiles(backup, folder);
  });
  console.log(`The backup from ${backup.about.created_at} has been restored to ${dataDir}.`);
}
