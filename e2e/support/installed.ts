import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import type { TestContext } from 'node:test';

/** Servers are installed in a folder that is not in the path of ordinary users. */
export const pathWithServers = [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter);

/** What the program prints with this option, or undefined if it is not installed. */
export function versionOf(program: string, option = '--version'): string | undefined {
  const env = { ...process.env, PATH: pathWithServers };
  const { error, stdout, stderr } = spawnSync(program, [option], { env, encoding: 'utf8' });
  return error === undefined ? `${stdout}${stderr}` : undefined;
}

/** Says in the output what was not tested. Tests of programs that are not installed cannot run. */
export function reportMissing(t: TestContext, programs: Record<string, string | undefined>): void {
  for (const [program, version] of Object.entries(programs)) {
    t.diagnostic(
      version === undefined
        ? `${program} is not installed, so its tests did not run.`
        : `tested with ${version.trim().split('\n')[0]}`,
    );
  }
}
