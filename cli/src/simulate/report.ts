import type { Context } from '../context.ts';
import { widthOf } from '../terminal/terminal.ts';
import { count, plain, wrap } from '../terminal/text.ts';
import { latencyLines, limitedText, number } from './dashboard.ts';
import type { Monitor } from './monitor.ts';
import type { SimulateOptions } from './options.ts';
import type { Outcome } from './run.ts';
import type { Latency } from './statistics.ts';
import { groupBy } from './world/group-by.ts';
import { describeHistory, type History, type OperationKind, type Violation } from './world/history.ts';

/** What --json prints. */
export type Report = {
  seed: number;
  profile: string;
  duration_s: number;
  chains: number;
  stores: number;
  pickers: number;
  is_interrupted: boolean;
  orders: {
    planned: number;
    sent: number;
    accepted: number;
    sold_out: number;
    store_closed: number;
    per_second: number;
    max_per_second: number;
    /** How late the latest order was sent, because the server or this computer was too slow. */
    max_late_s: number;
    /** How many orders had each status in the end. */
    statuses: Record<string, number>;
  };
  /** Milliseconds. */
  latencies: Record<string, Latency>;
  requests: { sent: number; without_response: number; rate_limited: number };
  events: { in_feed: number; messages: number; repeated: number; settled_after_s: number };
  checked: { orders: number; changes: number; events: number; deliveries: number; offers: number; jobs: number };
  violations: Violation[];
};

const shownKinds = ['place', 'fulfil', 'pickup', 'deliver', 'cancel', 'update'] as const satisfies OperationKind[];

export function buildReport(
  options: SimulateOptions,
  run: { seed: number; planned: number; pickerCount: number; isInterrupted: boolean; orderedMs: number },
  { statistics, history, sent, maxPerSecond, maxLateMs }: Monitor,
  { evidence, violations, world, settledMs }: Outcome,
): Report {
  const { latencyOf, requests, unanswered, limited } = statistics;
  const placed = history.operations.filter(({ kind }) => kind === 'place');
  const rejectedWith = (code: string) =>
    placed.filter(({ outcome, result }) => outcome === 'rejected' && result?.code === code).length;
  const statuses = groupBy(evidence.orders, ({ order }) => order.status as string);
  return {
    seed: run.seed,
    profile: options.profile,
    duration_s: Math.round(run.orderedMs / 1000),
    chains: world.chains.length,
    stores: options.stores,
    pickers: run.pickerCount,
    is_interrupted: run.isInterrupted,
    orders: {
      planned: run.planned,
      sent: sent(),
      accepted: placed.filter(({ outcome }) => outcome === 'acknowledged').length,
      sold_out: rejectedWith('invalid_request unavailable'),
      store_closed: rejectedWith('vendor_closed'),
      per_second: Math.round((sent() / run.orderedMs) * 10_000) / 10,
      max_per_second: maxPerSecond(),
      max_late_s: Math.round(maxLateMs() / 1000),
      statuses: Object.fromEntries([...statuses].map(([status, orders]) => [status, orders.length])),
    },
    latencies: Object.fromEntries(shownKinds.map((kind) => [kind, latencyOf(kind)])),
    requests: { sent: requests(), without_response: unanswered(), rate_limited: limited() },
    events: {
      in_feed: evidence.feed.length,
      messages: history.arrivals.length,
      repeated: history.arrivals.length - new Set(history.arrivals.map(({ eventId }) => eventId)).size,
      settled_after_s: Math.round(settledMs / 100) / 10,
    },
    checked: {
      orders: evidence.orders.length,
      changes: evidence.changes.length,
      events: evidence.feed.length,
      deliveries: evidence.deliveries.length,
      offers: evidence.offers.length,
      jobs: evidence.jobs.length,
    },
    violations,
  };
}

/** The report for people. */
export function reportText(context: Context, report: Report, history: History): string {
  const { paint, fields } = context;
  const { orders, requests, events, checked, violations, seed, profile, duration_s, stores, chains, pickers } = report;
  const statuses = Object.entries(orders.statuses).map(([status, found]) => `${number(found)} ${status}`);
  const isLate = orders.max_late_s > 1;
  return [
    fields([
      [
        'Run',
        `seed ${seed}, ${profile}, ${duration_s} s, ${stores} stores in ${count(chains, 'chain')}, ${pickers} pickers`,
      ],
      [
        'Orders',
        `${number(orders.sent)} of ${number(orders.planned)} planned orders sent: ${orders.per_second} per second, at most ${orders.max_per_second}`,
      ],
      [
        'Responses',
        `${number(orders.accepted)} accepted, ${number(orders.sold_out)} sold out, ${number(orders.store_closed)} at closed stores`,
      ],
      ['Statuses', statuses.join(', ')],
      [
        'Events',
        `${number(events.in_feed)} in the feed, ${number(events.messages)} webhook messages, of which ${number(events.repeated)} repeated; complete after ${events.settled_after_s} s`,
      ],
      [
        'Requests',
        `${number(requests.sent)}, of which ${number(requests.without_response)} without a response and ${number(requests.rate_limited)} with 429`,
      ],
      [
        'Checked',
        `${number(checked.orders)} orders, ${number(checked.changes)} changes, ${number(checked.events)} events, ${number(checked.deliveries)} deliveries, the stock of ${number(checked.offers)} offers, ${number(checked.jobs)} jobs`,
      ],
    ]),
    '',
    ...latencyLines(report.latencies).map((line, index) => (index === 0 ? paint('dim', line) : line)),
    '',
    ...(isLate ? [paint('yellow', wrap(lateText(report), widthOf(context.terminal.stdout)))] : []),
    ...(requests.rate_limited > 0
      ? [paint('yellow', wrap(limitedText(requests.rate_limited), widthOf(context.terminal.stdout)))]
      : []),
    violations.length === 0
      ? `${paint('green', '✓')} 0 violations: every order, unit of stock and event adds up.`
      : violationsText(context, violations, history),
  ].join('\n');
}

function lateText({ orders, is_interrupted }: Report): string {
  const missing = is_interrupted ? 0 : orders.planned - orders.sent;
  const unsent = missing > 0 ? `, and ${count(missing, 'order')} could not be sent at all` : '';
  return `The latest order was sent ${orders.max_late_s} s late${unsent}: the server or this computer did not keep up.`;
}

const maxShown = 10;

function violationsText({ paint, terminal }: Context, violations: readonly Violation[], history: History): string {
  const rules = [...groupBy(violations, ({ rule }) => rule)].map(([rule, found]) => {
    const indented = (text: string, indent: number) =>
      ' '.repeat(indent) + wrap(plain(text), widthOf(terminal.stdout) - indent, indent);
    const shown = found
      .slice(0, maxShown)
      .flatMap(({ message, subject, details = [] }) => [
        indented(message, 2),
        ...[...details, ...(subject === undefined ? [] : describeHistory(history, subject))].map(
          (line) => `    ${line}`,
        ),
      ]);
    const left = found.length > maxShown ? [`  … and ${found.length - maxShown} more`] : [];
    return [paint('red', `✗ ${rule}: ${found.length}`), ...shown, ...left].join('\n');
  });
  return rules.join('\n');
}
