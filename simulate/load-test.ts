import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../e2e/support/folder.ts';
import { startKilledWorkers } from './killed-workers.ts';

/**
 * npm run load-test -- [options of aisle simulate]: runs `aisle simulate` against an API process and two workers that
 * are killed at random, on a temporary database. See docs/how-to/simulate.md.
 */
const { folder, remove } = makeFolder();
const cluster = await startKilledWorkers(folder, Math.floor(Math.random() * 1_000_000));
const command = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));
const env = { ...process.env, AISLE_URL: cluster.url, AISLE_PLATFORM_TOKEN: cluster.platformToken };
const child = spawn(process.execPath, [command, 'simulate', ...process.argv.slice(2)], { stdio: 'inherit', env });
// The command ends the simulation early and checks it; Ctrl-C reaches both processes.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? 1)));
console.error(`Workers killed: ${cluster.kills()}.`);
await cluster.stop();
if (code === 0) remove();
else console.error(`The log of the workers is ${folder}/worker.log.`);
process.exit(code);
