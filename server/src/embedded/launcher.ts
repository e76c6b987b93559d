/**
 * Chooses how to run the PostgreSQL programs on this machine. This is difficult for two reasons: PostgreSQL refuses to
 * run as root, and it must not outlive Aisle even when Aisle is killed with SIGKILL. The methods are tried in order,
 * and the first one that can run `postgres --version` and enter the necessary folders is used.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Binaries, copyBinaries, getBinaries, removeCopiedBinaries } from './binaries.ts';
import { EmbeddedPostgresError, useOwnDatabase } from './failure.ts';

export type User = { uid: number; gid: number };

export type Launcher = Method & { binaries: Binaries; version: string };

type Method = {
  /** The command, such as `setpriv`, and arguments that are put before the program. Can be empty. */
  wrapper: string[];
  /** The user to start the program as, if the wrapper does not change the user. */
  spawnAs?: User;
  /** The owner of the data as this process sees it. Absent on systems without file ownership. */
  owner?: User;
  /** If false, a watchdog must stop the server after Aisle has exited. */
  exitsWithParent: boolean;
  copiesBinaries?: boolean;
};

export function chooseLauncher(dataDir: string): Launcher {
  const installed = getBinaries();
  let reason = 'it does not start';
  for (const method of possibleMethods(dataDir)) {
    const binaries = method.copiesBinaries ? copyBinaries(installed, dataDir) : installed;
    const trial = tryMethod(method, binaries, dataDir);
    if (trial.version !== undefined) return { ...method, binaries, version: trial.version };
    if (method.copiesBinaries) removeCopiedBinaries(binaries);
    if (trial.reason !== '') reason = trial.reason;
  }
  const advice = process.getuid?.() === 0 ? `start Aisle as an ordinary user, or ${useOwnDatabase}` : useOwnDatabase;
  throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot run here (${reason}); ${advice}.`);
}

export function launch(launcher: Method, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command = program, ...rest] = [...launcher.wrapper, program, ...args];
  return spawn(command, rest, { ...spawnSettings(launcher), ...options });
}

function possibleMethods(dataDir: string): Method[] {
  if (process.getuid === undefined || process.getgid === undefined) return [{ wrapper: [], exitsWithParent: false }];
  const self = { uid: process.getuid(), gid: process.getgid() };
  return self.uid === 0 ? methodsForRoot(self, serverUser(dataDir)) : methodsForOrdinaryUser(self);
}

function methodsForOrdinaryUser(self: User): Method[] {
  const methods: Method[] = [
    { wrapper: exitWithParent, owner: self, exitsWithParent: true },
    { wrapper: [], owner: self, exitsWithParent: false },
  ];
  // initdb needs a user with a name, which `docker run --user 12345` does not provide.
  return hasName() ? methods : [inNamespace(self), ...methods];
}

function methodsForRoot(self: User, user: User): Method[] {
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--pdeathsig', 'INT'];
  return [
    { wrapper: [...asUser, '--'], owner: user, exitsWithParent: true },
    // The remaining methods are for folders that only root can enter.
    inNamespace(self),
    { wrapper: [...asUser, ...enterAnyFolder, '--'], owner: user, exitsWithParent: true },
    { wrapper: [], spawnAs: user, owner: user, exitsWithParent: false },
    { wrapper: [], spawnAs: user, owner: user, exitsWithParent: false, copiesBinaries: true },
  ];
}

const exitWithParent = ['setpriv', '--pdeathsig', 'INT', '--'];

/**
 * The `setpriv` options for containers that forbid namespaces. The dac_override capability lets the server enter
 * folders of other users. Without the securebits flag, access(2) would ignore this capability.
 */
const enterAnyFolder = [
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=+dac_override',
  '--bounding-set=-all,+dac_override',
  '--securebits=+no_setuid_fixup',
];

/**
 * In the namespace, the server runs as an unprivileged user. Outside, the server and its files belong to the current
 * user.
 */
function inNamespace(self: User): Method {
  const { uid, gid } = unprivilegedUser();
  const wrapper = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', ...exitWithParent];
  return { wrapper, owner: self, exitsWithParent: true };
}

/**
 * The user to run the server as: the owner of the data, so that starting Aisle once with sudo does not lock that user
 * out, or an unprivileged user if there is no data yet.
 */
function serverUser(dataDir: string): User {
  const ofCluster = ownerOf(join(dataDir, 'postgres'));
  if (ofCluster !== undefined && ofCluster.uid !== 0) return ofCluster;
  const ofFolder = ownerOf(dataDir);
  if (ofFolder !== undefined && ofFolder.uid !== 0 && findAccount((_, uid) => uid === ofFolder.uid)) return ofFolder;
  return unprivilegedUser();
}

function ownerOf(path: string): User | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { uid: stat.uid, gid: stat.gid };
}

function unprivilegedUser(): User {
  return findAccount((name) => name === 'nobody') ?? { uid: 65534, gid: 65534 };
}

function findAccount(matches: (name: string, uid: number) => boolean): User | undefined {
  for (const line of accounts().split('\n')) {
    const [name = '', , uid, gid] = line.split(':');
    // macOS prints this uid as -2.
    if (uid && gid && matches(name, Number(uid))) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  return undefined;
}

function accounts(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function tryMethod(method: Method, binaries: Binaries, dataDir: string): { version?: string; reason: string } {
  const entering = 'for folder; do cd "$folder" || exit 1; done; exec "$0" --version';
  const trial = method.owner
    ? ['sh', '-c', entering, binaries.postgres, ...[dataDir, tmpdir()].filter((folder) => existsSync(folder))]
    : [binaries.postgres, '--version'];
  const [command = '', ...args] = [...method.wrapper, ...trial];
  const result = spawnSync(command, args, { ...spawnSettings(method), encoding: 'utf8' });
  const version = /PostgreSQL\) (\S+)/.exec(result.stdout ?? '')?.[1];
  const reason = (result.error?.message ?? result.stderr ?? '').trim().split('\n').at(-1) ?? '';
  // A program that cannot read its own folder still prints its version, but fails later.
  const isUsable = version !== undefined && result.status === 0 && !result.stderr.includes('invalid binary');
  return isUsable ? { version, reason } : { reason };
}

function spawnSettings(method: Method): SpawnOptions {
  return { ...method.spawnAs, cwd: isWindows ? undefined : '/', env: cleanEnvironment(), windowsHide: true };
}

/** Contains only the variables that a program needs to run: no locale, no PG* variables and none of Aisle's secrets. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = isWindows ? ['PATH', 'SystemRoot', 'ComSpec', 'TEMP', 'TMP', 'APPDATA'] : ['PATH', 'TMPDIR'];
  const kept = names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), TZ: 'UTC' };
}

const isWindows = process.platform === 'win32';
