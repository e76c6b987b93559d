import {
  closedReasons,
  type OutletStatus,
  type PutOutletStatusesRequest,
  type PutOutletStatusesResponseResult,
  type Store,
} from '@aisle/sdk';
import { type ArgumentRow, defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { styleOf } from '../terminal/paint.ts';
import { count, plain, shortNames } from '../terminal/text.ts';
import { durationOf } from './options.ts';

const storesArgument: ArgumentRow = {
  name: '<stores...>',
  description: 'platform ids or your own numbers of the stores, or "all"',
};

const list = defineCommand({
  name: 'outlets list',
  summary: 'List the stores and whether they are open',
  examples: ['outlets list', 'outlets list --json'],
  async run(context) {
    const client = context.client();
    const statuses = new Map<string, OutletStatus>();
    for await (const outlet of client.listOutletStatuses.all()) statuses.set(outlet.vendor_id, outlet);
    const stores: (Store & { outlet: OutletStatus | undefined })[] = [];
    for await (const store of client.listVendors.all())
      stores.push({ ...store, outlet: statuses.get(store.vendor_id) });
    context.show(stores, () => storesTable(context, stores));
  },
});

const open = defineCommand<object, [string[]]>({
  name: 'outlets open',
  args: [storesArgument],
  summary: 'Open stores',
  examples: ['outlets open 1001', 'outlets open 1001 1002', 'outlets open all'],
  run: (context, _options, stores) => putStatus(context, stores, { status: 'OPEN' }),
});

type CloseOptions = { for?: number; until?: string; reason?: (typeof closedReasons)[number]; today?: boolean };

const close = defineCommand<CloseOptions, [string[]]>({
  name: 'outlets close',
  args: [storesArgument],
  summary: 'Close stores, for some time or until they are opened',
  details: 'Closes stores. Without --today, --for or --until, they stay closed until they are opened.',
  options: [
    { flags: '--today', description: 'until the end of the day, local time' },
    {
      flags: '--for <duration>',
      description: 'for some time, such as 30m or 2h',
      parse: (text) => durationOf('--for', text),
    },
    { flags: '--until <time>', description: 'until this time, such as 2026-12-01T18:00:00+04:00' },
    { flags: '--reason <reason>', description: 'why', choices: closedReasons },
  ],
  examples: ['outlets close 1001 --for 30m --reason TOO_BUSY_KITCHEN', 'outlets close all --today'],
  run: (context, options, stores) => putStatus(context, stores, closing(options)),
});

export const outletCommands = [list, open, close];

type Change = Omit<PutOutletStatusesRequest, 'vendor_ids'>;

function closing({ for: duration, until, reason, today }: CloseOptions): Change {
  const given = [today, duration, until].filter((one) => one !== undefined);
  if (given.length > 1) throw new UsageError('Use only one of --today, --for and --until.');
  const closed_reason = reason && { closed_reason: reason };
  if (today) return { status: 'CLOSED_TODAY', ...closed_reason };
  const end =
    duration === undefined
      ? until === undefined
        ? { until_reopened: true as const }
        : { closed_until: until }
      : { closed_for_minutes: Math.max(1, Math.round(duration / 60_000)) };
  return { status: 'CLOSED_UNTIL', ...end, ...closed_reason };
}

async function putStatus(context: Context, stores: readonly string[], change: Change): Promise<void> {
  const client = context.client();
  const vendor_ids = stores.includes('all') ? await allStores(context) : [...stores];
  const results: PutOutletStatusesResponseResult[] = [];
  for (let first = 0; first < vendor_ids.length; first += maxBatch) {
    const body = { ...change, vendor_ids: vendor_ids.slice(first, first + maxBatch) };
    results.push(...(await client.putOutletStatuses({ body })).results);
  }
  const width = Math.max(...results.map(({ vendor_id }) => vendor_id.length));
  context.show(results, () =>
    results
      .map(({ vendor_id, outlet, error }) => {
        const status = outlet ? context.paint(styleOf(outlet.status), plain(statusText(context, outlet))) : '';
        const problem = error ? context.paint('red', plain(error.detail)) : '';
        return `${plain(vendor_id).padEnd(width)}  ${[status, problem].filter(Boolean).join('  ')}`;
      })
      .join('\n'),
  );
  const failed = results.filter(({ is_changed }) => !is_changed).length;
  if (failed === 0) return;
  const isNoneKnown = results.every(({ outlet }) => outlet === undefined);
  const exitCode = isNoneKnown ? exitCodes.notFound : exitCodes.partial;
  throw new CliError(`Not changed: ${count(failed, 'store')}.`, { exitCode });
}

/** The number of stores in a request. */
const maxBatch = 1000;

async function allStores(context: Context): Promise<string[]> {
  const ids: string[] = [];
  for await (const { vendor_id } of context.client().listVendors.all()) ids.push(vendor_id);
  return ids;
}

function statusText(context: Context, { status, closed_until: until }: OutletStatus): string {
  return until === undefined ? status : `${status}, opens ${context.relative(until)}`;
}

function storesTable(context: Context, stores: readonly (Store & { outlet: OutletStatus | undefined })[]): string {
  if (stores.length === 0) return 'No stores.';
  const names = shortNames(stores.map(({ name }) => name));
  return context.table(
    [
      { title: 'STORE' },
      { title: 'NUMBER' },
      { title: 'NAME', flexible: true },
      { title: 'STATUS', flexible: true },
      { title: 'CURRENCY' },
      { title: 'TEST' },
    ],
    stores.map(({ vendor_id, external_id, outlet, currency, test }, index) => [
      vendor_id,
      external_id ?? '',
      names[index] ?? '',
      outlet ? { text: statusText(context, outlet), style: styleOf(outlet.status) } : '',
      currency,
      test ? 'yes' : '',
    ]),
  );
}
