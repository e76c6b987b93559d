import { availableParallelism } from 'node:os';
import { type RateLimitClass, rateLimits } from '@aisle/contract/route';
import { parseServers, targets } from './kernel/database/servers.ts';
import { type Network, parseNetwork } from './kernel/outbound/addresses.ts';
import { keyBytes } from './kernel/secrets/seal.ts';
import { localUrl } from './links.ts';

export type Environment = Record<string, string | undefined>;

type RateLimits = { enforced: boolean; perMinute: Record<RateLimitClass, number> };

/** Reads typed settings from environment variables and collects the errors. */
export function createReader(environment: Environment) {
  const errors: string[] = [];
  const given = (name: string) => environment[name]?.trim() || undefined;
  return {
    errors,
    text: (name: string, fallback: string) => given(name) ?? fallback,
    integer(name: string, fallback: number, min: number, max: number): number {
      return this.optionalInteger(name, min, max) ?? fallback;
    },
    optionalInteger(name: string, min: number, max: number): number | null {
      const text = given(name);
      if (text === undefined) return null;
      const value = wholeNumber(text);
      if (value >= min && value <= max) return value;
      errors.push(`${name} must be an integer from ${min} to ${max}, not "${text}".`);
      return null;
    },
    /** A number of processes, or `auto` for one per core that this program can use. */
    processes(name: string): number {
      const text = given(name);
      if (text === undefined) return 1;
      const value = text === 'auto' ? Math.min(availableParallelism(), maxProcesses) : wholeNumber(text);
      if (value >= 1 && value <= maxProcesses) return value;
      errors.push(`${name} must be auto or an integer from 1 to ${maxProcesses}, not "${text}".`);
      return 1;
    },
    /** Null means off; undefined means that the setting is absent. */
    portOrOff(name: string): number | null | undefined {
      const text = given(name);
      if (text === undefined || text === 'off') return text === undefined ? undefined : null;
      const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
      if (port <= 65_535) return port;
      errors.push(`${name} must be off or an integer from 0 to 65535, not "${text}".`);
      return undefined;
    },
    /** A host name or address, with or without a port. */
    hostAndPort(name: string): { host: string; port: number | null } | null {
      const text = given(name);
      if (text === undefined) return null;
      const [, host = '', port] = /^([^\s:/@]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
      if (host !== '' && Number(port ?? 1) >= 1 && Number(port ?? 1) <= 65_535) {
        return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? null : Number(port) };
      }
      errors.push(`${name} must be a host name with or without a port, such as sftp.example.com:22, not "${text}".`);
      return null;
    },
    /** The value never appears in the message. */
    token(name: string): string | null {
      const text = given(name);
      if (text === undefined || /^[\x21-\x7e]{16,}$/.test(text)) return text ?? null;
      errors.push(`${name} must be at least 16 printable ASCII characters without spaces.`);
      return null;
    },
    onOff(name: string, fallback: boolean): boolean {
      const text = given(name);
      if (text === undefined) return fallback;
      if (text === 'on' || text === 'off') return text === 'on';
      errors.push(`${name} must be on or off, not "${text}".`);
      return fallback;
    },
    oneOf(name: string, values: string[], fallback: string): string {
      const text = given(name) ?? fallback;
      if (values.includes(text)) return text;
      errors.push(`${name} must be one of ${values.join(', ')}, not "${text}".`);
      return fallback;
    },
    /** The URL of the host that the program listens on. */
    localUrl(host: string, port: number): string {
      const url = localUrl(host, port);
      if (URL.canParse(url)) return url;
      errors.push(`HOST must be an address such as 0.0.0.0 or ::, or a host name, not "${host}".`);
      return localUrl('127.0.0.1', port);
    },
    /** A URL that paths are appended to. The value never appears in the message, because it may contain a password. */
    baseUrl(name: string, protocols: string[]): string | null {
      const text = given(name);
      if (text === undefined) return null;
      const url = URL.parse(text);
      const canAppend = url?.username === '' && url.password === '' && !/[?#]/.test(text);
      if (canAppend && protocols.includes(url.protocol)) return url.href;
      const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
      errors.push(`${name} must be a URL that starts with ${starts}, without a user name, query or fragment.`);
      return null;
    },
    /** A URL of PostgreSQL, which can name several servers. */
    databaseUrl(name: string): string | null {
      const text = given(name);
      const servers = text === undefined ? undefined : parseServers(text);
      // Otherwise, a process that has looked for another server could stay on a standby, which cannot write.
      const isUnclear = servers !== undefined && servers.urls.length > 1 && servers.target === 'any';
      if (text === undefined || (servers && !isUnclear)) return text ?? null;
      const problem = /[?&]target_session_attrs=/.test(text)
        ? `${name}: target_session_attrs must be one of ${targets.join(', ')}.`
        : `${name} must be a URL that starts with postgres:// or postgresql://.`;
      errors.push(
        isUnclear
          ? `${name} names several servers, so it needs target_session_attrs: ${targets.filter((one) => one !== 'any').join(', ')}.`
          : problem,
      );
      return null;
    },
    networks(name: string, fallback: readonly Network[]): Network[] {
      const text = given(name);
      if (text === 'none') return [];
      const parts = text?.split(',').map((part) => part.trim());
      return (parts ?? [])
        .flatMap((part) => {
          const networks = parseNetwork(part);
          if (!networks)
            errors.push(
              `${name} must be "none" or a comma-separated list of networks such as 10.1.0.0/16 or "loopback"; "${part}" is invalid.`,
            );
          return networks ?? [];
        })
        .concat(parts ? [] : fallback);
    },
    /** The keys never appear in the message. */
    keys(name: string): Buffer[] {
      const keys = (given(name)?.split(',') ?? []).map(readKey);
      if (keys.every((key) => key !== undefined)) return keys;
      errors.push(
        `${name} must be ${keyBytes} bytes in base64 or hex; generate one with "openssl rand -base64 ${keyBytes}".`,
      );
      return [];
    },
    rateLimits(name: string): RateLimits {
      const text = given(name) ?? 'on';
      const perMinute: Record<RateLimitClass, number> = { ...rateLimits };
      if (text === 'on' || text === 'off') return { enforced: text === 'on', perMinute };
      const classes = new Set<string>();
      for (const part of text.split(',')) {
        const [, key = '', value = ''] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(part) ?? [];
        if (classes.has(key)) errors.push(`${name} contains ${key} more than once.`);
        else if (isRateLimitClass(key) && Number(value) > 0) perMinute[key] = Number(value);
        else
          errors.push(
            `${name} must be on, off, or a list such as read=600,catalog_write=60 (classes: ${Object.keys(rateLimits).join(', ')}); "${part}" is invalid.`,
          );
        if (isRateLimitClass(key)) classes.add(key);
      }
      return { enforced: true, perMinute };
    },
  };
}

const maxProcesses = 128;

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function readKey(text: string): Buffer | undefined {
  const encoded = text.trim();
  const key = Buffer.from(encoded, /^[0-9a-f]{64}$/i.test(encoded) ? 'hex' : 'base64');
  return key.length === keyBytes ? key : undefined;
}

function isRateLimitClass(name: string): name is RateLimitClass {
  return Object.hasOwn(rateLimits, name);
}
