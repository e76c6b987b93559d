import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cloneDatabase } from '../server/test/support/database.ts';
import { makeFolder } from './support/folder.ts';
import { assertNoneRunning } from './support/processes.ts';
import { freePort, runModule, runProgram } from './support/program.ts';

/** A failed startup leaves no listener, timer, connection, thread or process behind, so the program exits by itself. */
const { folder, remove } = makeFolder();
after(remove);

test('when the secret key file is invalid, the embedded PostgreSQL server is stopped', async () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'secret.key'), 'not a key\n');
  const { code, stderr } = await runProgram([], { PORT: '0' }, folder);
  assert.deepEqual([code, stderr.trimEnd().split('\n').length], [1, 1], stderr);
  assert.match(stderr, /secret\.key/);
  await assertNoneRunning(folder, 1);
});

test('when a migration fails, startup fails and the port is released', async () => {
  const database = await cloneDatabase();
  const port = await freePort();
  try {
    await database.db.query("insert into migrations (version, name) values (9999, 'from the future')");
    const environment = { DATABASE_URL: database.url, PORT: String(port) };
    for (const _ of [1, 2]) {
      const { code, stderr } = await runProgram([], environment);
      assert.deepEqual([code, stderr.trimEnd().split('\n').length], [1, 1], stderr);
      assert.match(stderr, /^The database is at migration 9999/);
    }
  } finally {
    await database.drop();
  }
});

// Without `webhooks`, startup fails while the features are built. Without `rateLimits`, it fails later, when the
// listener, the worker and the sender are already running.
for (const setting of ['webhooks', 'rateLimits']) {
  test(`if startup fails because ${setting} is missing, everything opened so far is closed`, async () => {
    const database = await cloneDatabase();
    const script = fileURLToPath(new URL('./support/failing-start.ts', import.meta.url));
    try {
      const { code, stdout, stderr } = await runModule(script, [setting], { DATABASE_URL: database.url });
      assert.deepEqual([code, stdout, stderr], [0, 'TypeError\n', '']);
    } finally {
      await database.drop();
    }
  });
}
