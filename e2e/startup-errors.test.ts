import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { insertChain } from '../server/src/identity/index.ts';
import { type Database, openDatabase } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';
import { createSecrets } from '../server/src/webhooks/index.ts';
import { cloneDatabase, createEmptyDatabase } from '../server/test/support/database.ts';
import { makeFolder } from './support/folder.ts';
import { assertNoneRunning } from './support/processes.ts';
import { freePort, type Outcome, runProgram } from './support/program.ts';

/** If the program is started incorrectly, it prints what is wrong without a stack trace and exits with code 1. */
const { folder, remove } = makeFolder();
const port = await freePort();
const password = 'hunter2';

after(remove);

test('a port that is in use is reported, and the PostgreSQL server that was already started is stopped', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const outcome = await runProgram([], { PORT: String(port) }, folder);
  const metrics = { PORT: '0', AISLE_METRICS_PORT: String(port) };
  const metricsOutcome = await runProgram([], metrics, folder);
  await new Promise((resolve) => other.close(resolve));
  assertReported(outcome, [`Port ${port} is already in use; set PORT to another port.`]);
  assertReported(metricsOutcome, [`Port ${port} is already in use; set AISLE_METRICS_PORT to another port.`]);
  await assertNoneRunning(folder, 1);
});

test('an unknown role is reported with the list of roles', async () => {
  const { code, stderr } = await runProgram(['cook']);
  assert.equal(code, 1);
  assert.match(stderr, /^Unknown role "cook"\.\n/);
  for (const role of ['all', 'api', 'worker', 'migrate', 'platform-token', 'discard-secrets'])
    assert.ok(stderr.includes(` ${role} `));
});

test('the commands that grant access say what they need, and work with DATABASE_URL', async () => {
  for (const rest of [[], ['ops'], ['a@example.com', 'b@example.com']]) {
    const outcome = await runProgram(['platform-user', ...rest]);
    assertReported(outcome, ['Name one email address: npm start -- platform-user EMAIL.']);
  }
  const database = await cloneDatabase();
  const invited = await runProgram(['platform-user', 'ops@example.com'], {
    DATABASE_URL: database.url,
    AISLE_PUBLIC_URL: 'https://market.example',
  });
  await database.drop();
  assert.deepEqual([invited.code, invited.stderr], [0, '']);
  const [who, how, link, ...rest] = invited.stdout.trim().split('\n');
  assert.equal(who, 'ops@example.com is now a user of the console, with the role ADMIN.');
  assert.match(how ?? '', /^Set a password with this link\. It works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
  assert.match(link ?? '', /^https:\/\/market\.example\/console\/invitation#aisle_invite_/);
  assert.deepEqual(rest, []);
});

test('a database that a command cannot write to is reported with the reason', async () => {
  const { url, drop } = await createEmptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const db = openTestDatabase(url);
  await db.query(`create role ${name}`);
  const migrateWith = async (setting: string) => {
    await db.query(`alter database ${name} set ${setting}`);
    return runProgram(['migrate'], { DATABASE_URL: url });
  };
  const withoutRights = await migrateWith(`role = ${name}`);
  const readOnly = await migrateWith('default_transaction_read_only = on');
  await db.query('set transaction_read_only = off');
  await db.close();
  await drop();
  assertReported(withoutRights, ['The database reported an error: permission denied for schema public (42501).']);
  assertReported(readOnly, [
    'The database reported an error: cannot execute CREATE TABLE in a read-only transaction (25006).',
  ]);
});

test('arguments that a role or command does not have are reported before anything is changed', async () => {
  const { url, drop } = await createEmptyDatabase();
  const refused = async (args: string, message: string) =>
    assertReported(await runProgram(args.split(' '), { DATABASE_URL: url, PORT: '0' }), [message]);
  const moveChain = 'Name a chain and a node: npm start -- move-chain CHAIN HOST:PORT [--block-writes].';
  for (const rest of ['', ' a', ' a b c', ' a --now']) await refused(`move-chain${rest}`, moveChain);
  const needsName = 'The platform token needs a name of at most 100 characters: npm start -- platform-token NAME.';
  for (const rest of ['', ' ', ' --help', ' a\nb', ` ${'a'.repeat(101)}`])
    await refused(`platform-token${rest}`, needsName);
  await refused('distribute --all', 'distribute has only one option: npm start -- distribute [--with-data].');
  const others = 'Settings are environment variables; "npm start -- --help" lists them.';
  await refused('rebalance --dry-run', `rebalance has no argument "--dry-run". ${others}`);
  await refused('api --port', `api has no argument "--port". ${others}`);
  await drop();
});

test('distribute does not migrate a database that cannot be distributed', async () => {
  const { url, drop } = await createEmptyDatabase();
  const outcome = await runProgram(['distribute'], { DATABASE_URL: url });
  assertReported(outcome, [/^This PostgreSQL has no Citus extension\./]);
  const db = openTestDatabase(url);
  const [found] = await db.query<{ count: number }>(
    "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace",
  );
  await db.close();
  await drop();
  assert.equal(found?.count, 0);
});

test('all invalid settings are reported together, one sentence each, without showing a password', async () => {
  const outcome = await runProgram([], {
    PORT: '99999',
    AISLE_DEMO: 'perhaps',
    AISLE_LOG_LEVEL: 'loud',
    AISLE_WORKER_SLOTS: '0',
    AISLE_RATE_LIMITS: 'read=20,writes=many',
    AISLE_SECRET_KEY: Buffer.from(password).toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback,10.0.0.0/99',
    DATABASE_URL: `mysql://me:${password}@localhost/aisle`,
  });
  assertReported(outcome, [
    'PORT must be an integer from 0 to 65535, not "99999".',
    'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
    'AISLE_DEMO must be on or off, not "perhaps".',
    'AISLE_LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud".',
    'AISLE_WORKER_SLOTS must be an integer from 1 to 64, not "0".',
    'AISLE_SECRET_KEY must be 32 bytes in base64 or hex; generate one with "openssl rand -base64 32".',
    'AISLE_WEBHOOK_ALLOW must be "none" or a comma-separated list of networks such as 10.1.0.0/16 or "loopback"; "10.0.0.0/99" is invalid.',
    /^AISLE_RATE_LIMITS must be on, off, or a list such as .*; "writes=many" is invalid\.$/,
  ]);
});

test('a role that needs a shared database fails with a message about DATABASE_URL', async () => {
  await forRoles(['api', 'worker'], async (role) => {
    const sentence = `The role ${role} needs a shared database; set DATABASE_URL.`;
    assertReported(await runProgram([role]), [sentence]);
  });
});

test('an unreachable database is reported with the reason', async () => {
  const unusedPort = await freePort();
  const outcome = await runProgram(['api'], {
    DATABASE_URL: `postgres://me:${password}@127.0.0.1:${unusedPort}/aisle`,
  });
  assertReported(outcome, [`The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${unusedPort}.`]);
});

test('a database that is newer or older than the program is left unchanged, and the error says how to fix it', async () => {
  const database = await cloneDatabase();
  const environment = { DATABASE_URL: database.url, PORT: '0' };
  try {
    await database.db.query("insert into migrations (version, name) values (9999, 'from the future')");
    const ahead =
      /^The database is at migration 9999, but this version of Aisle supports only \d+; start a newer version\.$/;
    await forRoles(['all', 'migrate', 'platform-token NAME'], async (role) => {
      assertReported(await runProgram(role.split(' '), environment), [ahead]);
    });
    await database.db.query('drop table migrations');
    const behind = 'The database is not up to date: run "npm start -- migrate" first.';
    await forRoles(['api', 'worker'], async (role) => {
      assertReported(await runProgram([role], environment), [behind]);
    });
    const made = await database.db.query("select 1 where to_regclass('migrations') is not null");
    assert.equal(made.length, 0);
  } finally {
    await database.drop();
  }
});

test('a secret key that cannot decrypt the stored webhook secrets is reported with instructions', async () => {
  const database = await cloneDatabase();
  try {
    await makeWebhook(database.db);
    const environment = { DATABASE_URL: database.url, PORT: '0', AISLE_SECRET_KEY: 'b'.repeat(64) };
    assertReported(await runProgram([], environment), [
      'The secret key cannot decrypt the webhook secrets in the database; restore the key that encrypted them (AISLE_SECRET_KEY, or secret.key in the data folder), or run "npm start -- discard-secrets" to give them up.',
    ]);
    const discarded = await runProgram(['discard-secrets'], environment);
    assert.deepEqual([discarded.code, discarded.stderr], [0, '']);
    assert.match(discarded.stdout, /^Webhooks with a new signing secret and without authorization: 1\./);
  } finally {
    await database.drop();
  }
});

test('--help explains the roles and --version prints the version number', async () => {
  const help = await runProgram(['--help']);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  for (const word of ['all', 'api', 'worker', 'migrate', 'DATABASE_URL', 'AISLE_DATA_DIR']) {
    assert.ok(help.stdout.includes(word), word);
  }
  const version = await runProgram(['--version']);
  assert.deepEqual([version.code, version.stderr], [0, '']);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\S*\n$/);
});

/** Inserts a chain with a webhook whose secret was encrypted with another key. */
async function makeWebhook(db: Database): Promise<void> {
  const [chainId, webhookId] = [newId(), newId()];
  await db.transaction((tx) => insertChain(tx, chainId, { name: 'Test', profile: 'strict', country_code: 'AE' }));
  const sealed = createSecrets([Buffer.alloc(32, 'a')]).sealSigning(webhookId, 'whsec_MQ==');
  await db.query(
    `insert into webhooks (chain_id, webhook_id, environment, staging_url, signing_sealed)
     values ($1, $2, 'staging', 'https://receiver.test/', $3)`,
    [chainId, webhookId, sealed],
  );
}

function forRoles(roles: string[], check: (role: string) => Promise<void>): Promise<void[]> {
  return Promise.all(roles.map(check));
}

/** Checks that standard error has exactly these sentences, one per line. */
function openTestDatabase(url: string): Database {
  return openDatabase({ url, connections: 1, preparedStatements: true, name: 'aisle test', onError: () => {} });
}

function assertReported({ code, stderr }: Outcome, sentences: (string | RegExp)[]): void {
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, sentences.length, stderr);
  sentences.forEach((sentence, index) => {
    if (typeof sentence === 'string') assert.equal(lines[index], sentence);
    else assert.match(lines[index] ?? '', sentence);
  });
  assert.ok(!stderr.includes(password), stderr);
  assert.equal(code, 1);
}
