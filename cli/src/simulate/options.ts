import type { OptionRow } from '../command.ts';
import { durationOf, wholeNumber } from '../commands/options.ts';
import { UsageError } from '../errors.ts';
import { type Profile, peakFactor, profiles } from './curve.ts';

/** The options of the command, after parsing. */
export type SimulateOptions = {
  stores: number;
  ordersPerMinute: number;
  profile: Profile;
  pickers?: number;
  seed?: number;
  duration: number;
  receiverHost: string;
};

const [minDurationMs, maxDurationMs] = [5000, 86_400_000];
const maxOrders = 1_000_000;
export const maxSeed = 4_294_967_295;

export const simulateOptions: readonly OptionRow[] = [
  numberOption('--stores', 'stores, in chains of five', 500, 20),
  numberOption('--orders-per-minute', 'orders per minute, on average', 60_000, 600),
  {
    flags: '--profile <name>',
    description: 'when customers order; a day takes the whole run',
    choices: profiles,
    parse: parseProfile,
    default: 'evening-rush',
  },
  numberOption('--pickers', 'pickers in all stores; default: enough for the peak', 10_000),
  {
    flags: '--seed <n>',
    description: 'repeat the run with this seed; default: a random one',
    parse: (text) => wholeNumber('--seed', text, 0, maxSeed),
  },
  {
    flags: '--duration <duration>',
    description: 'how long customers order, from 5s to 1d',
    parse: parseLength,
    default: 60_000,
    defaultText: '60s',
  },
  {
    flags: '--receiver-host <host>',
    description: 'the address of this computer, as the server reaches it',
    parse: parseHost,
    default: '127.0.0.1',
  },
];

/** How many orders customers will place. */
export function countPlanned({ ordersPerMinute, duration }: SimulateOptions): number {
  const planned = Math.round((ordersPerMinute * duration) / 60_000);
  if (planned >= 1 && planned <= maxOrders) return planned;
  throw new UsageError(
    `The run would have ${planned.toLocaleString('en')} orders; it must have between 1 and ${maxOrders.toLocaleString('en')}.`,
    'Change --orders-per-minute or --duration.',
  );
}

/** Enough for the busiest hour, if an order takes a picker about a third of a second. */
export function countPickers({ pickers, stores, ordersPerMinute, profile }: SimulateOptions): number {
  return pickers ?? Math.max(stores, Math.ceil((ordersPerMinute / 60) * peakFactor(profile) * 0.5));
}

function numberOption(name: string, description: string, max: number, value?: number): OptionRow {
  return {
    flags: `${name} <n>`,
    description,
    parse: (text) => wholeNumber(name, text, 1, max),
    ...(value !== undefined && { default: value }),
  };
}

function parseProfile(text: string): Profile {
  const found = profiles.find((name) => name === text);
  if (found) return found;
  throw new UsageError(
    `There is no demand profile named ${text}.`,
    `Profiles of simulate: ${profiles.join(', ')}. To choose credentials, set AISLE_PROFILE.`,
  );
}

function parseLength(text: string): number {
  const duration = durationOf('--duration', text);
  if (duration >= minDurationMs && duration <= maxDurationMs) return duration;
  throw new UsageError(`--duration must be between 5s and 1d, not ${text}.`);
}

function parseHost(text: string): string {
  if (/^[\w.-]+$/.test(text) || /^\[[0-9a-f:]+\]$/i.test(text)) return text;
  throw new UsageError(`--receiver-host must be a host name or an IP address without a port, not ${text}.`);
}
