import type { EventType, FeedEvent } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { checkUrl } from '../config/connection.ts';
import { webhookAuthorization } from '../config/webhook-authorization.ts';
import { storeOption } from '../commands/options.ts';
import { type Context, findStoreId } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { eventTypes, parseEventTypes } from '../event-types.ts';
import { clockTime } from '../terminal/time.ts';
import { plain } from '../terminal/text.ts';
import { findEvent } from './find-event.ts';
import { type Forwarded, forwardEvent, isDelivered } from './forward.ts';
import { type Environment, findSecret } from './sign.ts';

type Options = {
  forwardTo?: string;
  events?: EventType[];
  store?: string;
  from: string;
  printSecret?: boolean;
  environment: Environment;
  replay?: string;
};

export const listenCommand = defineCommand<Options>({
  name: 'listen',
  summary: 'Receive events, and forward them to a local server',
  details:
    'Receives events through the event feed, so it needs no public address. With --forward-to, every event is sent to your server exactly as a webhook would send it: the same headers, the same bytes, signed with a secret that stays the same on this computer, or with the one in AISLE_SIGNING_SECRET. The value of AISLE_WEBHOOK_AUTHORIZATION, if set, is sent as the Authorization header. An event that your server rejects is not sent again; use --replay.',
  options: [
    { flags: '-f, --forward-to <url>', description: 'send each event to this URL', parse: checkUrl },
    {
      flags: '-e, --events <types>',
      description: 'only these types, separated by commas; order.* is allowed',
      parse: parseEventTypes,
    },
    storeOption,
    {
      flags: '--from <cursor>',
      description: 'where to start: now, oldest, or the cursor that is shown at the end',
      default: 'now',
    },
    { flags: '--print-secret', description: 'print the signing secret, then exit' },
    { flags: '--replay <event>', description: 'forward the event with this id once, then exit' },
    {
      flags: '--environment <name>',
      description: 'the value of x-environment',
      choices: ['staging', 'production'],
      default: 'staging',
    },
  ],
  examples: [
    'listen --demo --forward-to http://127.0.0.1:9000',
    "listen --forward-to localhost:3000/webhooks --events 'order.*'",
    'listen --from oldest --json',
    'listen --replay 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4 -f localhost:3000',
  ],
  async run(context, options) {
    const secret = findSecret(context.terminal);
    if (options.printSecret) {
      context.show({ secret }, () => secret);
    } else if (options.replay !== undefined) {
      await replay(context, options, options.replay, secret);
    } else {
      await follow(context, options, secret);
    }
  },
});

/** Forwards events until Ctrl-C. */
async function follow(context: Context, options: Options, secret: string): Promise<void> {
  const { terminal, paint } = context;
  const client = context.client();
  const from = await startOf(context, options.from);
  const types = options.events ?? eventTypes;
  const store = await findStoreId(context, options.store);
  context.note(intro(context, options));
  if (context.isJson) context.showLine({ type: 'listen.ready', cursor: from ?? null }, () => '');
  let cursor = from;
  await client.consumeEvents({
    from,
    types,
    signal: terminal.signal,
    onRetry: (error) => context.note(paint('yellow', `The feed could not be read: ${plain(error.message)}`)),
    onGap() {
      context.note(paint('yellow', 'Some events were deleted before they were read: the cursor is too old.'));
      if (context.isJson) context.showLine({ type: 'listen.gap' }, () => '');
    },
    saveCursor: (saved) => void (cursor = saved),
    async handle(event) {
      if (store !== undefined && event.vendor_id !== store) return;
      await forwardOne(context, event, options, secret);
    },
  });
  if (cursor !== undefined) context.note(paint('dim', `Stopped. Continue with --from ${cursor}`));
}

/** With a cursor that is read before the program says it is ready, no event after that moment is missed. */
async function startOf(context: Context, from: string): Promise<string | undefined> {
  if (from === 'oldest') return undefined;
  const after = from === 'now' ? 'latest' : from;
  const page = await context.client().listEvents({ query: { after, limit: 1 } });
  return from === 'now' ? page.next_cursor : from;
}

async function replay(context: Context, options: Options, eventId: string, secret: string): Promise<void> {
  if (options.forwardTo === undefined) throw new UsageError('Where to? Add --forward-to with the URL of your server.');
  const event = await findEvent(context, eventId);
  const result = await forwardOne(context, event, options, secret);
  if (result && !isDelivered(result)) throw new CliError('The receiver did not accept the event.');
}

async function forwardOne(
  context: Context,
  event: FeedEvent,
  { forwardTo: url, environment }: Options,
  secret: string,
): Promise<Forwarded | undefined> {
  const { signal } = context.terminal;
  const authorization = webhookAuthorization(context.terminal);
  const result = url ? await forwardEvent(event, { url, secret, environment, authorization, signal }) : undefined;
  context.showLine(lineObject(event, result), () => lineText(context, event, result));
  return result;
}

function lineObject(event: FeedEvent, result: Forwarded | undefined) {
  if (!result) return event;
  const { event_id, type, vendor_id, created_at } = event;
  const { order_id, job_id } = subjectOf(event);
  const { status, durationMs: duration_ms, error } = result;
  return { event_id, type, vendor_id, created_at, order_id, job_id, status, duration_ms, error };
}

function lineText({ paint, terminal }: Context, event: FeedEvent, result: Forwarded | undefined): string {
  const { order_code, job_id = '' } = subjectOf(event);
  const start = `${paint('dim', clockTime(terminal.now()))}  ${event.type.padEnd(25)}`;
  const subject = plain(order_code ?? job_id.slice(0, 8)).padEnd(9);
  if (!result) return `${start}  ${subject}  ${paint('dim', event.event_id)}`;
  const { status, durationMs, error } = result;
  if (isDelivered(result)) return `${start}  ${subject}  ${paint('green', String(status))}  ${durationMs} ms`;
  const reason = status === null ? `no response: ${error}` : `${status}  ${durationMs} ms`;
  const again = `          Send it again with --replay ${event.event_id}`;
  const why = '          Does your server use the signing secret? aisle listen --print-secret shows it.\n';
  const hint = paint('dim', status === 401 ? why + again : again);
  return `${start}  ${subject}  ${paint('red', reason)}\n${hint}`;
}

function subjectOf({ body }: FeedEvent): { order_id?: string; order_code?: string; job_id?: string } {
  return body;
}

/** Does not show the secret, because the output can be stored. */
function intro({ paint, connection }: Context, { forwardTo, events }: Options): string {
  return [
    `${paint('green', '✓')} Ready. Receiving events from ${connection().url}.`,
    ...(events === undefined ? [] : [`  Types:           ${events.join(', ')}`]),
    ...(forwardTo === undefined ? [] : [`  Forwarding to:   ${forwardTo}`]),
    ...(forwardTo === undefined ? [] : ['  Signing secret:  aisle listen --print-secret shows it']),
    paint('dim', '  Press Ctrl-C to stop.'),
  ].join('\n');
}
