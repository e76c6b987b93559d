import type { Socket } from 'node:net';
import pg from 'pg';
import { sqlState } from './errors.ts';
import { currentTimeline } from './replica.ts';

/** The servers that a database URL names, one URL each, and which of them can be used. */
export type Servers = { urls: readonly [string, ...string[]]; target: Target };

/** As in libpq's `target_session_attrs`. */
export type Target = (typeof targets)[number];
export const targets = ['any', 'read-write', 'primary', 'standby'] as const;

/** `postgresql://user:password@one:5432,two:5432/name?target_session_attrs=read-write`. Undefined if it is invalid. */
export function parseServers(url: string): Servers | undefined {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)([^]*)$/.exec(url) ?? [];
  if (before === undefined || hosts === undefined) return undefined;
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  const [first, ...others] = urls;
  if (first === undefined || !urls.every((one) => URL.canParse(one))) return undefined;
  const target = targets.find((one) => one === (new URL(first).searchParams.get(parameter) ?? 'any'));
  return target && { urls: [withoutTarget(first), ...others.map(withoutTarget)], target };
}

const parameter = 'target_session_attrs';

function withoutTarget(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has(parameter)) return url;
  parsed.searchParams.delete(parameter);
  return parsed.href;
}

/** The URL of the same database on a node, given as `host:port`. */
export function urlOfNode(url: string, address: string): string {
  const node = new URL(parseServers(url)?.urls[0] ?? url);
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  node.hostname = host.includes(':') ? `[${host}]` : host;
  node.port = port;
  return node.href;
}

/** Knows the server that connections go to, and finds another one if that fails. */
export type Locator = {
  current(): string;
  /** Whether another server might be usable if the current one is not. */
  hasChoice: boolean;
  /** Fails if a new connection is not to a server as required. */
  check(client: Pick<pg.ClientBase, 'query'>): Promise<void>;
  /** Leaves the current server only if it cannot be used. Then tries all others at once, because some may not respond. */
  locate(): Promise<string>;
  /**
   * Calls the handler whenever the current server changes. From now on, the server is tried every few seconds: if its host
   * is frozen or cut off, connections neither fail nor respond.
   */
  onMoved(handler: (url: string) => void): void;
  close(): void;
};

export function createLocator(url: string): Locator {
  const { urls, target } = parseServers(url) ?? { urls: [url] as const, target: 'any' };
  let current: string = urls[0];
  let search: Promise<string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const handlers: ((url: string) => void)[] = [];
  let newest: Primary | undefined;
  const check: Locator['check'] = async (client) => {
    if (target === 'any') return;
    const server = await describe(client);
    if (!isSuitable(server, target)) throw unsuitable(`No server of the database is ${descriptions[target]}`);
    if (server.timeline === null) return;
    const primary = { cluster: server.cluster, timeline: server.timeline };
    // It was started again after a standby was promoted in its place. What is written there is lost.
    if (primary.cluster === newest?.cluster && primary.timeline < newest.timeline) {
      throw unsuitable('The server was the primary before another one was promoted');
    }
    newest = primary;
  };
  const attempt = async (one: string) => {
    const client = new pg.Client({ connectionString: one, connectionTimeoutMillis: maxSilenceMs });
    client.on('error', () => {});
    try {
      await client.connect();
      await check(client);
      client.end().catch(() => {});
      return one;
    } catch (error) {
      destroy(client);
      throw error;
    }
  };
  const findOne = async () => {
    try {
      return await attempt(current);
    } catch (failure) {
      current = await Promise.any(urls.filter((one) => one !== current).map(attempt)).catch((error: AggregateError) => {
        throw [failure, ...error.errors].find(isUnsuitable) ?? failure;
      });
      for (const handler of handlers) handler(current);
      return current;
    }
  };
  const locate = () => {
    // Many requests fail at the same time if a server fails.
    search ??= findOne().finally(() => {
      setTimeout(() => (search = undefined), reuseMs).unref();
    });
    return search;
  };
  const watch = async () => {
    await locate().catch(() => {});
    if (!isClosed) timer = setTimeout(watch, watchMs).unref();
  };
  return {
    current: () => current,
    hasChoice: urls.length > 1,
    check,
    locate,
    onMoved(handler) {
      handlers.push(handler);
      timer ??= setTimeout(watch, watchMs).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Closes a connection to a server that may not respond. */
export function destroy(client: pg.ClientBase): void {
  // The types do not declare `connection`.
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Limits the time that a statement waits for a response. The types do not declare it. */
export function readTimeout(milliseconds: number): object {
  return { query_timeout: milliseconds };
}

const reuseMs = 250;
const watchMs = 2000;
/** How long a server can take to respond before another one is tried. */
const maxSilenceMs = 2000;

/** Whenever another server of the cluster becomes the primary, a new timeline begins. */
type Primary = { cluster: string; timeline: number };
/** A standby has no timeline of its own. */
type Server = { is_standby: boolean; is_read_only: boolean; cluster: string; timeline: number | null };

async function describe(client: Pick<pg.ClientBase, 'query'>): Promise<Server> {
  const { rows } = await client.query<Server>({
    text: `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
             (pg_control_system()).system_identifier::text as cluster,
             case when not pg_is_in_recovery() then ${currentTimeline} end as timeline`,
    ...readTimeout(maxSilenceMs),
  });
  return rows[0] as Server;
}

function isSuitable({ is_standby: isStandby, is_read_only: isReadOnly }: Server, target: Target): boolean {
  if (target === 'standby') return isStandby;
  return target === 'primary' ? !isStandby : !isReadOnly;
}

/** A connection to a standby is as useless as none. */
function unsuitable(message: string): Error {
  return Object.assign(new Error(message), { code: unsuitableState });
}

const descriptions: Record<Target, string> = {
  any: 'available',
  'read-write': 'accepting writes',
  primary: 'a primary',
  standby: 'a standby',
};

/** PostgreSQL's code for a server that does not accept connections at the moment. */
const unsuitableState = '57P03';

function isUnsuitable(error: unknown): boolean {
  return sqlState(error) === unsuitableState;
}
