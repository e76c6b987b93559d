import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../..', import.meta.url);
let isInstalled = false;

/**
 * Imports one of this folder's packages, installing them all first if needed. These packages have their own lock file
 * because `npm start` does not need them, and installing them would make the first start take twice as long.
 */
export async function loadTool(name: string): Promise<unknown> {
  ensureInstalled();
  return import(name);
}

/** Runs a command from one of this folder's packages, in the root folder of the repository. */
export function runTool(command: string, args: string[]): { status: number | null; output: string } {
  ensureInstalled();
  const file = fileURLToPath(new URL(`tools/openapi/node_modules/.bin/${command}`, root));
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return { status, output: `${stdout}${stderr}` };
}

function ensureInstalled(): void {
  if (isInstalled) return;
  const { status } = spawnSync(process.execPath, ['tools/ensure-installed.mjs', 'tools/openapi'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The packages in tools/openapi could not be installed.');
  isInstalled = true;
}
