import { stripVTControlCharacters } from 'node:util';
import type { Context } from '../context.ts';
import { widthOf } from '../terminal/terminal.ts';
import { count, truncate, widthOfText } from '../terminal/text.ts';
import type { Monitor, Phase, Snapshot } from './monitor.ts';
import type { Latency } from './statistics.ts';

/** Shows the progress until `end` is called: a dashboard in a terminal, otherwise a line every few seconds. */
export function startDisplay(context: Context, monitor: Monitor, title: string): { end(): void } {
  const { terminal, isJson } = context;
  if (isJson) return { end() {} };
  if (!terminal.stdout.isTTY) {
    const timer = setInterval(() => terminal.stdout.write(`${progressLine(monitor.snapshot())}\n`), 5000);
    return { end: () => clearInterval(timer) };
  }
  let shown = 0;
  const erase = () => (shown > 0 ? `\u001b[${shown}A\u001b[0J` : '');
  const draw = () => {
    const lines = dashboardLines(context, monitor.snapshot(), title);
    terminal.stdout.write(`${erase()}${lines.join('\n')}\n`);
    shown = lines.length;
  };
  draw();
  const timer = setInterval(draw, 500);
  return {
    end() {
      clearInterval(timer);
      terminal.stdout.write(erase());
    },
  };
}

const phaseTexts: Record<Phase, string> = {
  preparing: 'creating the stores',
  ordering: 'customers are ordering',
  finishing: 'finishing the last orders',
  settling: 'waiting for events, deliveries and jobs',
  checking: 'checking every order, unit and event',
  done: 'done',
};

export function progressLine(snapshot: Snapshot): string {
  const { phase, elapsedMs, planned, sent, perSecond, latencies, delivered, violations } = snapshot;
  return [
    `${Math.round(elapsedMs / 1000)} s`,
    phaseTexts[phase],
    `${number(sent)}/${number(planned)} orders`,
    ...(phase === 'ordering' ? [`${perSecond.toFixed(1)}/s`, `place p99 ${ms(latencies.place.p99)}`] : []),
    `${number(delivered)} delivered`,
    `backlog ${backlogText(snapshot)}`,
    ...(violations > 0 ? [count(violations, 'violation')] : []),
  ].join(', ');
}

const barWidth = 40;

/** At most 80 columns wide. */
export function dashboardLines(context: Context, snapshot: Snapshot, title: string): string[] {
  const { paint, terminal } = context;
  const { elapsedMs, durationMs, sent, planned, accepted, rejected, perSecond, latencies, violations } = snapshot;
  const label = (text: string) => paint('dim', text.padEnd(13));
  const done = Math.min(1, elapsedMs / durationMs);
  const bar = '█'.repeat(Math.round(done * barWidth)).padEnd(barWidth, '░');
  const seconds = (time: number) => `${Math.round(time / 1000)} s`;
  const lines = [
    paint('bold', title),
    `${paint('cyan', bar)} ${seconds(elapsedMs)} of ${seconds(durationMs)}, ${dayTime(done)}`,
    paint('dim', phaseTexts[snapshot.phase]),
    '',
    `${label('Orders')}${number(sent)} of ${number(planned)} sent, ${paint('bold', `${perSecond.toFixed(1)}/s`)}`,
    `${label('')}${number(accepted)} accepted, ${number(rejected.soldOut)} sold out, ${number(rejected.closed)} at closed stores`,
    `${label('Picking')}${snapshot.busy} of ${snapshot.pickers} pickers busy, ${number(snapshot.waiting)} orders waiting, ${count(snapshot.closedStores, 'store')} closed`,
    `${label('Deliveries')}${number(snapshot.delivered)} of ${count(snapshot.events, 'event')} delivered, ${number(snapshot.messages)} messages`,
    `${label('Backlog')}${backlogText(snapshot)}`,
    '',
    ...latencyLines(latencies).map((line, index) => (index === 0 ? paint('dim', line) : line)),
    '',
    violations === 0 ? paint('green', 'No violations so far.') : paint('red', count(violations, 'violation')),
    ...(snapshot.limited > 0 ? [paint('yellow', limitedText(snapshot.limited))] : []),
    paint('dim', 'Ctrl-C ends the day early and checks it.'),
  ];
  return lines.map((line) => fitLine(line, widthOf(terminal.stdout) - 1));
}

/** What to do about 429 responses. */
export function limitedText(limited: number): string {
  return `${count(limited, 'request')} got 429: start the server with AISLE_RATE_LIMITS=off.`;
}

export function latencyLines(latencies: Record<string, Latency>): string[] {
  const cells = (values: string[]) => values.map((value) => value.padStart(10)).join('');
  return [
    `${'Latency'.padEnd(11)}${cells(['requests', 'p50', 'p95', 'p99', 'max'])}`,
    ...Object.entries(latencies).map(
      ([name, { count: requests, p50, p95, p99, max }]) =>
        `${name.padEnd(11)}${cells([number(requests), ...[p50, p95, p99, max].map((value) => (requests > 0 ? ms(value) : '-'))])}`,
    ),
  ];
}

export function ms(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

function backlogText({ waiting, events, delivered, pending }: Snapshot): string {
  if (pending) {
    const { events: missing, deliveries, jobs } = pending;
    return `${count(missing, 'event')}, ${count(deliveries, 'delivery', 'deliveries')}, ${count(jobs, 'job')}`;
  }
  const open = Math.max(0, events - delivered);
  return `${count(waiting, 'order')} to pick, ${count(open, 'event')} to deliver`;
}

/** The time of the simulated day. */
function dayTime(done: number): string {
  const minutes = Math.min(1439, Math.floor(done * 1440));
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')} in the stores`;
}

/** A line that is too long loses its colors, because they cannot be cut. */
function fitLine(line: string, width: number): string {
  return widthOfText(line) <= width ? line : truncate(stripVTControlCharacters(line), width);
}
