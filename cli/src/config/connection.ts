import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findProfile, type Profile, readConfigFile } from './config-file.ts';

/** Which server to use, with which credentials, and where they come from. */
export type Connection = Profile & { source: string; chain_id?: string };

export type ConnectionOptions = { demo?: boolean; profile?: string; url?: string };

/**
 * In this order: --demo, --profile, AISLE_TOKEN, AISLE_PROFILE, the current profile. --url and AISLE_URL replace the
 * address, but a stored credential is never sent to an address that it was not stored for.
 */
export function findConnection(terminal: Terminal, options: ConnectionOptions): Connection {
  const { AISLE_TOKEN: token, AISLE_URL: givenUrl, AISLE_PROFILE: givenProfile } = terminal.env;
  if (options.demo && options.profile) throw new UsageError('Use either --demo or --profile, not both.');
  if (options.demo) return checked(readDemo(terminal), options.url);
  if (!options.profile && token) {
    const url = options.url || givenUrl || 'http://127.0.0.1:8080';
    return { url: checkUrl(url), token, source: 'AISLE_TOKEN' };
  }
  const file = readConfigFile(terminal);
  const name = options.profile || givenProfile || file.current;
  const profile = name === undefined ? undefined : findProfile(file, name);
  if (profile && name) return checked({ ...profile, source: `profile ${name}` }, options.url);
  if (name !== undefined) throw unknownProfile(name, Object.keys(file.profiles));
  throw new CliError('You are not signed in.', {
    exitCode: exitCodes.credentials,
    hint: 'Run aisle login, set AISLE_URL and AISLE_TOKEN, or add --demo to use the demo chain that npm start creates.',
  });
}

export function unknownProfile(name: string, known: string[]): CliError {
  return new UsageError(
    `There is no profile named ${name}.`,
    known.length === 0 ? 'Run aisle login to create one.' : `Profiles: ${known.join(', ')}`,
  );
}

/**
 * The address and the platform token, which belongs to the operator: from AISLE_PLATFORM_TOKEN, or from the credentials
 * that a command would use otherwise.
 */
export function findPlatform(terminal: Terminal, options: ConnectionOptions): { url: string; token: string } {
  const { AISLE_PLATFORM_TOKEN: given, AISLE_URL: givenUrl } = terminal.env;
  if (given && !options.demo) {
    return { url: checkUrl(options.url || givenUrl || 'http://127.0.0.1:8080'), token: given };
  }
  const { url, platform_token: token, source } = findConnection(terminal, options);
  if (token !== undefined) return { url, token };
  throw new CliError(`This command needs a platform token, and ${source} has none.`, {
    exitCode: exitCodes.credentials,
    hint: 'Run npm start -- platform-token NAME on the server and set AISLE_PLATFORM_TOKEN and AISLE_URL, store it with aisle login --platform-token, or use --demo.',
  });
}

/** Accepts addresses without a scheme, such as `localhost:8080`. */
export function checkUrl(text: string): string {
  if (/^\d+$/.test(text)) throw new UsageError(`${text} is a port, not a URL. Write localhost:${text}.`);
  const address = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal(text) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UsageError(`${text} is not an http or https URL.`);
  }
  const { username, password } = new URL(address);
  if (username || password)
    throw new UsageError('The address of the server must not contain a user name or a password.');
  return address.replace(/\/+$/, '');
}

function isLocal(text: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:|$|\/)/.test(text);
}

function checked(connection: Connection, url: string | undefined): Connection {
  if (url === undefined) return connection;
  if (new URL(checkUrl(url)).origin !== new URL(connection.url).origin) {
    throw new UsageError(
      `The credentials of ${connection.source} belong to ${connection.url}, not to ${url}.`,
      'Run aisle login --url for the other server, or set AISLE_TOKEN.',
    );
  }
  return { ...connection, url: checkUrl(url) };
}

/** The file that `npm start` writes, in the current folder or in one of the folders above it. */
function readDemo({ env, folder }: Terminal): Connection {
  const path = env['AISLE_DATA_DIR'] ? join(env['AISLE_DATA_DIR'], 'demo.json') : findUpwards(folder);
  if (path === undefined || !existsSync(path)) {
    throw new CliError('There are no demo credentials: data/demo.json was not found.', {
      exitCode: exitCodes.credentials,
      hint: 'Run npm start, and run this command in the same folder, or set AISLE_DATA_DIR to the data folder.',
    });
  }
  const { base_url: url, api_token: token, chain_id, platform_token, vendors } = readDemoFile(path);
  const store = vendors[0]?.vendor_id;
  return { url, token, chain_id, platform_token, source: 'demo', ...(store !== undefined && { store }) };
}

type DemoFile = {
  base_url: string;
  chain_id: string;
  api_token: string;
  platform_token: string;
  vendors: { vendor_id: string }[];
};

function readDemoFile(path: string): DemoFile {
  try {
    const demo = JSON.parse(readFileSync(path, 'utf8')) as DemoFile;
    if (URL.canParse(demo.base_url) && typeof demo.api_token === 'string' && Array.isArray(demo.vendors)) return demo;
  } catch {
    // Reported below.
  }
  throw new CliError(`${path} cannot be read, or is damaged.`, { hint: 'Restart npm start, which writes it again.' });
}

function findUpwards(folder: string): string | undefined {
  const path = join(folder, 'data', 'demo.json');
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : findUpwards(dirname(folder));
}
