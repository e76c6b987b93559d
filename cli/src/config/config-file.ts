import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError, UsageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type Profile = {
  url: string;
  token?: string;
  client_id?: string;
  client_secret?: string;
  /** The operator's token, for commands that act as the marketplace. */
  platform_token?: string;
  /** The store that commands use unless another one is given. */
  store?: string;
};

export type ConfigFile = {
  /** The name of the profile that is used by default. */
  current?: string;
  profiles: Record<string, Profile>;
  /** Signs the messages that `aisle listen` forwards. */
  listen_secret?: string;
};

type Environment = Pick<Terminal, 'env'>;

/** AISLE_CONFIG_DIR, otherwise the folder for settings of the user's operating system. */
export function configFolder({ env }: Environment): string {
  const { AISLE_CONFIG_DIR: given, XDG_CONFIG_HOME: xdg, APPDATA: windows } = env;
  if (given) return given;
  if (process.platform === 'win32' && windows) return join(windows, 'aisle');
  return join(xdg || join(env['HOME'] || homedir(), '.config'), 'aisle');
}

export function configPath(environment: Environment): string {
  return join(configFolder(environment), 'config.json');
}

export function readConfigFile(environment: Environment): ConfigFile {
  const path = configPath(environment);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
  const file = parseConfig(text);
  if (file) return file;
  throw new CliError(`${path} is not valid JSON with profiles.`, { hint: 'Fix or delete it, then run aisle login.' });
}

/**
 * Changes the file in one step. Commands that do so at the same time wait for each other, so that none loses what the
 * other has stored. Only the user can read the file, because it contains credentials.
 */
export function updateConfigFile(environment: Environment, change: (file: ConfigFile) => ConfigFile): ConfigFile {
  const path = configPath(environment);
  let unlock: (() => void) | undefined;
  try {
    mkdirSync(configFolder(environment), { recursive: true, mode: 0o700 });
    unlock = lock(`${path}.lock`);
    const file = change(readConfigFile(environment));
    // A symbolic link stays one.
    const target = existsSync(path) ? realpathSync(path) : path;
    const draft = `${target}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, target);
    return file;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`, {
      hint: 'Set AISLE_CONFIG_DIR to a folder that you can write to.',
    });
  } finally {
    unlock?.();
  }
}

/** Undefined if there is no such profile. */
export function findProfile({ profiles }: ConfigFile, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

export function checkName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@:/-]{0,63}$/u.test(name)) return name;
  throw new UsageError(
    'The name of a profile has up to 64 letters, digits and . _ - @ : /, and starts with a letter or digit.',
  );
}

function parseConfig(text: string): ConfigFile | undefined {
  let file: Partial<ConfigFile> | null;
  try {
    file = JSON.parse(text) as Partial<ConfigFile> | null;
  } catch {
    return undefined;
  }
  if (!isObject(file) || !isObject(file.profiles ?? {})) return undefined;
  const profiles = file.profiles ?? {};
  const isProfile = (one: Partial<Profile> | null) => isObject(one) && URL.canParse(String(one?.url));
  return Object.values(profiles).every(isProfile) ? { ...file, profiles } : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A lock is held for milliseconds, so an old one was left by a command that was killed. */
function lock(path: string): () => void {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || Date.now() > deadline) throw error;
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 5000) rmSync(path, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
