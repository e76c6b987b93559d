import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../errors.ts';
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
  try {
    const file = JSON.parse(text) as Partial<ConfigFile>;
    return { ...file, profiles: file.profiles ?? {} };
  } catch {
    throw new CliError(`${path} is not valid JSON.`, { hint: 'Fix or delete it, then run aisle login.' });
  }
}

/** Replaces the file in one step. Only the user can read it, because it contains credentials. */
export function writeConfigFile(environment: Environment, file: ConfigFile): void {
  const path = configPath(environment);
  try {
    mkdirSync(configFolder(environment), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`, {
      hint: 'Set AISLE_CONFIG_DIR to a folder that you can write to.',
    });
  }
}
