import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Terminal } from '../terminal/terminal.ts';
import { plain } from '../terminal/text.ts';
import { failure, type Finding, ok, skipped, warning } from './finding.ts';

const run = promisify(execFile);

/** What can be checked on the server itself: the disk with the data, and PostgreSQL if DATABASE_URL is set. */
export async function checkMachine({ env, folder }: Terminal): Promise<Finding[]> {
  const data = env['AISLE_DATA_DIR'] ?? join(folder, 'data');
  return [
    ...(existsSync(data) ? [await checkDisk(data)] : [skipped('disk', 'there is no data folder on this computer')]),
    ...(await checkDatabase(env['DATABASE_URL'])),
  ];
}

async function checkDisk(data: string): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(data);
  const gigabytes = (bavail * bsize) / 1e9;
  const message = `${gigabytes.toFixed(1)} GB free (${Math.round((bavail / blocks) * 100)}%) on the disk of ${data}`;
  const remedy = 'Free some space; PostgreSQL stops when the disk is full.';
  if (gigabytes < 1) return failure('disk', message, remedy);
  return gigabytes < 5 || bavail / blocks < 0.05 ? warning('disk', message, remedy) : ok('disk', message);
}

async function checkDatabase(url: string | undefined): Promise<Finding[]> {
  if (!url) return [];
  const query = `select name, setting from pg_settings where name in ('server_version_num', 'max_connections', 'fsync',
    'full_page_writes', 'synchronous_commit', 'server_encoding') union all
    select 'lc_ctype', datctype from pg_database where datname = current_database()`;
  try {
    // The password is passed in the environment, because arguments are visible to other users.
    const { password } = new URL(url);
    const target = new URL(url);
    target.password = '';
    const env = {
      ...process.env,
      PGCONNECT_TIMEOUT: '10',
      ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }),
    };
    const { stdout } = await run('psql', ['-XAtqF', '=', '-d', target.href, '-c', query], { env, timeout: 20_000 });
    const settings = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    return readSettings(settings as Record<string, string>);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [skipped('database', 'psql is not installed', 'Install it to check the settings of PostgreSQL.')];
    }
    const [reason = ''] = plain((error as { stderr?: string }).stderr ?? '').split('\n');
    return [failure('database', `PostgreSQL cannot be queried: ${reason}`, 'Check DATABASE_URL.')];
  }
}

/** The requirements and recommendations of the operator guide. */
export function readSettings(settings: Record<string, string>): Finding[] {
  const findings: Finding[] = [];
  const version = Math.floor(Number(settings['server_version_num']) / 10_000);
  if (version < 15) {
    findings.push(failure('database', `PostgreSQL ${version} is too old`, 'Upgrade to PostgreSQL 15 or later.'));
  }
  if (settings['server_encoding'] !== 'UTF8') {
    findings.push(
      failure('database', `the encoding is ${settings['server_encoding']}`, 'Create the database with UTF8.'),
    );
  }
  if (settings['lc_ctype'] === 'C' || settings['lc_ctype'] === 'POSIX') {
    const remedy = 'Create the database with LC_CTYPE C.UTF-8, otherwise Arabic text is not found.';
    findings.push(warning('database', `LC_CTYPE is ${settings['lc_ctype']}`, remedy));
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if (settings[name] === 'off') {
      findings.push(failure('database', `${name} is off, so a crash loses data`, `Set ${name} to on.`));
    }
  }
  const connections = Number(settings['max_connections']);
  if (connections < 50) {
    const remedy = 'Raise max_connections, or lower AISLE_DATABASE_CONNECTIONS.';
    findings.push(warning('database', `max_connections is only ${connections}`, remedy));
  }
  return findings.length > 0 ? findings : [ok('database', `PostgreSQL ${version} with suitable settings`)];
}
