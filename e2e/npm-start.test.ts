import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DemoFile } from '../server/src/demo/index.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { assertExited, listFamily, assertNoneRunning } from './support/processes.ts';
import { freePort, type Program, startProgram } from './support/program.ts';
import { startUpload } from './support/upload.ts';
import { waitFor, within } from './support/wait.ts';

/** Runs the program the way `npm start` does, with npm and possibly a shell as its parents. */
const { folder, remove } = makeFolder();
fillDataFolder(join(folder, 'data'));
const port = String(await freePort());
const environment = { PORT: port, AISLE_RATE_LIMITS: 'off', AISLE_LOG_LEVEL: 'warn' };

after(async () => {
  await assertNoneRunning(folder, 20);
  remove();
});

const signals = {
  'SIGTERM to npm alone': (npm: Program) => npm.kill('SIGTERM'),
  // In a terminal, every process in the group gets the signal, and npm forwards it as well.
  'Ctrl-C': (npm: Program) => void process.kill(-npm.pid, 'SIGINT'),
};

for (const [what, send] of Object.entries(signals)) {
  test(`${what} lets an in-flight request finish and leaves no process behind`, async () => {
    const npm = await startProgram({ folder, environment, byNpm: true });
    const family = listFamily(npm.pid);
    assert.ok(family.some(({ command }) => command.includes('postgres')));
    const upload = startHalf(npm);
    await upload.inFlight;
    send(npm);
    await waitFor(5, 'new connections to be refused', async () => ((await isListening(npm)) ? undefined : true));
    upload.finish();
    const { status, text } = await within(10, 'the response to the upload', upload.response);
    assert.equal(status, 200, text);
    assert.deepEqual(await within(10, 'npm to exit', npm.ended), { code: 0, signal: null });
    await assertExited(family, 1);
  });
}

function startHalf({ url }: Program) {
  const demo: DemoFile = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
  const path = `/v2/chains/${demo.chain_id}/vendors/${demo.vendors[0]?.vendor_id}/catalog`;
  return startUpload(url + path, 'PUT', demo.api_token, { products: [{ sku: 'MLK-00012', price: 6.25 }] });
}

function isListening({ url }: Program): Promise<boolean> {
  return fetch(`${url}/health/live`).then(
    (response) => response.ok,
    () => false,
  );
}
