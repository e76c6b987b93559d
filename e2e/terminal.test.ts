import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DemoFile } from '../server/src/demo/index.ts';
import { fillDataFolder } from './support/data-folder.ts';
import { makeFolder } from './support/folder.ts';
import { launchInTerminal, welcomed } from './support/launch.ts';
import { assertExited, assertNoneRunning, listFamily } from './support/processes.ts';
import { freePort } from './support/program.ts';
import { startUpload } from './support/upload.ts';
import { waitFor, within } from './support/wait.ts';

const { folder, remove } = makeFolder();
fillDataFolder(join(folder, 'data'));
after(async () => {
  await assertNoneRunning(folder, 10);
  remove();
});

for (const processes of ['1', '2']) {
  const options = { skip: process.platform !== 'linux' };
  test(
    `when the terminal of a server with ${processes} processes is closed, it finishes requests and stops cleanly`,
    options,
    async () => {
      const port = String(await freePort());
      const environment = { PORT: port, AISLE_PROCESSES: processes, AISLE_RATE_LIMITS: 'off' };
      const terminal = launchInTerminal(environment, folder);
      await waitFor(60, 'the welcome message', () => welcomed.test(terminal.stdout()) || undefined);
      const family = listFamily(terminal.pid);
      assert.ok(family.some(({ command }) => command.includes('postgres')));
      const demo: DemoFile = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
      const url = `http://127.0.0.1:${port}/v2/chains/${demo.chain_id}/vendors/${demo.vendors[0]?.vendor_id}/catalog`;
      const upload = startUpload(url, 'PUT', demo.api_token, { products: [{ sku: 'MLK-00012', price: 6.25 }] });
      await upload.inFlight;
      terminal.kill('SIGKILL');
      await waitFor(5, 'new connections to be refused', () =>
        fetch(url).then(
          () => undefined,
          () => true as const,
        ),
      );
      upload.finish();
      const { status, text } = await within(10, 'the response to the upload', upload.response);
      assert.equal(status, 200, text);
      await assertExited(family, 10);
      assert.equal(existsSync(join(folder, 'data', 'aisle.lock')), false);
    },
  );
}
