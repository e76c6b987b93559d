/**
 * How to run the PostgreSQL programs on this machine. Two things make it hard: PostgreSQL refuses to run as root, and it must
 * not outlive Aisle even when Aisle is killed with -9. The ways are tried in order, and the first that can run
 * `postgres --version` and enter the folders it needs is taken.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Binaries, copyBinaries, getBinaries, removeCopiedBinaries } from './binaries.ts';
import { EmbeddedPostgresError, useOwnDatabase } from './failure.ts';

export type User = { uid: number; gid: number };

export type Launcher = Way & { binaries: Binaries; version: string };

type Way = {
  /** What comes before the program on the command line. */
  wrapper: string[];
  /** The user to start as, where no wrapper changes it. */
  spawnAs?: User;
  /** The owner of the data as this process sees it; absent on systems without file owners. */
  owner?: User;
  /** False: a watchdog has to stop the server when Aisle is gone. */
  diesWithUs: boolean;
  copiesBinaries?: boolean;
};

export function chooseLauncher(dataDir: string): Launcher {
  const installed = getBinaries();
  let complaint = 'it does not start';
  for (const way of possibleWays(dataDir)) {
    const binaries = way.copiesBinaries ? copyBinaries(installed, dataDir) : installed;
    const trial = tryWay(way, binaries, dataDir);
    if (trial.version !== undefined) return { ...way, binaries, version: trial.version };
    if (way.copiesBinaries) removeCopiedBinaries(binaries);
    if (trial.complaint !== '') complaint = trial.complaint;
  }
  const advice = process.getuid?.() === 0 ? `start Aisle as an ordinary user, or ${useOwnDatabase}` : useOwnDatabase;
  throw new EmbeddedPostgresError(`The PostgreSQL that comes with Aisle cannot run here (${complaint}); ${advice}.`);
}

export function launch(launcher: Way, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command = program, ...rest] = [...launcher.wrapper, program, ...args];
  return spawn(command, rest, { ...spawnSettings(launcher), ...options });
}

function possibleWays(dataDir: string): Way[] {
  if (process.getuid === undefined || process.getgid === undefined) return [{ wrapper: [], diesWithUs: false }];
  const self = { uid: process.getuid(), gid: process.getgid() };
  return self.uid === 0 ? waysOfRoot(self, serverUser(dataDir)) : waysOfOrdinaryUser(self);
}

function waysOfOrdinaryUser(self: User): Way[] {
  const ways: Way[] = [
    { wrapper: dyingWithUs, owner: self, diesWithUs: true },
    { wrapper: [], owner: self, diesWithUs: false },
  ];
  // initdb needs a user with a name, which `docker run --user 12345` does not provide.
  return hasName() ? ways : [inNamespace(self), ...ways];
}

function waysOfRoot(self: User, user: User): Way[] {
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--pdeathsig', 'INT'];
  return [
    { wrapper: [...asUser, '--'], owner: user, diesWithUs: true },
    // What follows is for folders that only root may enter.
    inNamespace(self),
    { wrapper: [...asUser, ...enteringAnyFolder, '--'], owner: user, diesWithUs: true },
    { wrapper: [], spawnAs: user, owner: user, diesWithUs: false },
    { wrapper: [], spawnAs: user, owner: user, diesWithUs: false, copiesBinaries: true },
  ];
}

const dyingWithUs = ['setpriv', '--pdeathsig', 'INT', '--'];

/** For containers that forbid namespaces. Without the secure bit, access(2) would ignore the capability. */
const enteringAnyFolder = [
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=+dac_override',
  '--bounding-set=-all,+dac_override',
  '--securebits=+no_setuid_fixup',
];

/** Inside the namespace the server runs as an unprivileged user; outside, and for its files, it is still this user. */
function inNamespace(self: User): Way {
  const { uid, gid } = unprivilegedUser();
  const wrapper = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', ...dyingWithUs];
  return { wrapper, owner: self, diesWithUs: true };
}

/** The user that already owns the data, so that one start with sudo does not lock that user out; else an unprivileged one. */
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
    // macOS writes this uid as -2.
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

function tryWay(way: Way, binaries: Binaries, dataDir: string): { version?: string; complaint: string } {
  const entering = 'for folder; do cd "$folder" || exit 1; done; exec "$0" --version';
  const trial = way.owner
    ? ['sh', '-c', entering, binaries.postgres, ...[dataDir, tmpdir()].filter((folder) => existsSync(folder))]
    : [binaries.postgres, '--version'];
  const [command = '', ...args] = [...way.wrapper, ...trial];
  const result = spawnSync(command, args, { ...spawnSettings(way), encoding: 'utf8' });
  const version = /PostgreSQL\) (\S+)/.exec(result.stdout ?? '')?.[1];
  const complaint = (result.error?.message ?? result.stderr ?? '').trim().split('\n').at(-1) ?? '';
  // Programs that cannot read their own folder print their version too, and fail later.
  const isSound = version !== undefined && result.status === 0 && !result.stderr.includes('invalid binary');
  return isSound ? { version, complaint } : { complaint };
}

function spawnSettings(way: Way): SpawnOptions {
  return { ...way.spawnAs, cwd: isWindows ? undefined : '/', env: cleanEnvironment(), windowsHide: true };
}

/** Only what a program needs to run: no locale, no PG* settings, and none of Aisle's secrets. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = isWindows ? ['PATH', 'SystemRoot', 'ComSpec', 'TEMP', 'TMP', 'APPDATA'] : ['PATH', 'TMPDIR'];
  const kept = names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), TZ: 'UTC' };
}

const isWindows = process.platform === 'win32';
