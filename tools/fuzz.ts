import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestServer } from './test-database.ts';

/**
 * npm run fuzz [-- --requests N] [--seed N] [--round N]: runs server/test/every-route-fuzz.test.ts with more requests
 * than `npm test`, and prints the progress. A failure prints the command that repeats the failed round.
 */
const options = readOptions();
const test = fileURLToPath(new URL('../server/test/every-route-fuzz.test.ts', import.meta.url));
const server = await startTestServer();
let code = 1;
try {
  console.log(`Sending requests with seed ${options.AISLE_FUZZ_SEED} on ${server.label}.`);
  code = await runFuzz();
} finally {
  await server.stop();
}
process.exit(code);

function readOptions() {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      round: { type: 'string' },
    },
  });
  for (const [name, value] of Object.entries(values)) {
    if (/^\d{1,10}$/.test(value)) continue;
    console.error(`--${name} must be a whole number, but it is "${value}".`);
    process.exit(1);
  }
  return {
    AISLE_FUZZ_REQUESTS: values.requests,
    AISLE_FUZZ_SEED: values.seed,
    ...(values.round !== undefined && { AISLE_FUZZ_ROUND: values.round }),
  };
}

/** Runs the file directly instead of with `node --test`, which would delay the output and limit the run time. */
function runFuzz(): Promise<number> {
  const child = spawn(process.execPath, [test], { stdio: 'inherit', env: { ...server.environment, ...options } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
}
