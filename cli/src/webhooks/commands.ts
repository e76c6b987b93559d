import { type AisleClient, type Delivery, isApiError, type Webhook, type WebhookInput } from '@aisle/sdk';
import { type CommandRow, defineCommand, type OptionRow } from '../command.ts';
import { durationOf, idOf, limitOption, pageSize, storeOption, take } from '../commands/options.ts';
import { webhookAuthorization } from '../config/webhook-authorization.ts';
import type { Context } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { styleOf } from '../terminal/paint.ts';
import { count } from '../terminal/text.ts';
import { deliveryText, waitForDelivery } from './delivery.ts';

const statuses = ['PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED'] as const satisfies Delivery['status'][];
const webhookStore: OptionRow = { ...storeOption, description: "the store's own webhook instead of the chain's" };

const list = defineCommand({
  name: 'webhooks list',
  summary: 'List the webhooks of the chain and of its stores',
  examples: ['webhooks list', 'webhooks list --json'],
  async run(context) {
    const webhooks = await take(context.client().listWebhooks.all(), Number.POSITIVE_INFINITY);
    context.show(webhooks, () => webhooksTable(context, webhooks));
  },
});

type SetOptions = {
  store?: string;
  environment: Webhook['environment'];
  catalogUrl?: string;
};

const set = defineCommand<SetOptions, [string]>({
  name: 'webhooks set',
  args: [{ name: '<url>', description: 'where to send events' }],
  summary: 'Set the URL of a webhook',
  details:
    'Sets the URL of the webhook for one environment and uses that environment. URLs that are already set for the other one are kept. If AISLE_WEBHOOK_AUTHORIZATION is set, its value becomes that of the Authorization header. Prints the signing secret when the webhook is created.',
  options: [
    webhookStore,
    {
      flags: '--environment <name>',
      description: 'which URL to set and to use',
      choices: ['staging', 'production'],
      default: 'staging',
    },
    { flags: '--catalog-url <url>', description: 'another URL for events about catalog jobs' },
  ],
  examples: [
    'webhooks set https://pos.example.com/aisle',
    'webhooks set https://pos.example.com/aisle --environment production',
  ],
  async run(context, options, url) {
    const webhook = await putWebhook(context, options, url);
    context.show(webhook, () => webhookText(context, webhook));
  },
});

const ping = defineCommand<{ store?: string }>({
  name: 'webhooks ping',
  summary: 'Send a test message, and show the response',
  options: [webhookStore],
  examples: ['webhooks ping', 'webhooks ping --store 1001'],
  async run(context, { store }) {
    const client = context.client();
    const sent = await (store === undefined
      ? client.pingWebhook()
      : client.pingVendorWebhook({ params: { vendor_id: store } }));
    await showDelivery(context, sent.delivery_id);
  },
});

type DeliveryOptions = { status?: Delivery['status']; order?: string; store?: string; since?: number; limit: number };

const deliveries = defineCommand<DeliveryOptions, [string | undefined]>({
  name: 'webhooks deliveries',
  args: [{ name: '[delivery]', description: 'the id of one delivery, to see its attempts' }],
  summary: 'List deliveries, or show one with its attempts',
  options: [
    { flags: '--status <status>', description: 'only deliveries with this status', choices: statuses },
    { flags: '--order <id>', description: 'only deliveries for the order with this id' },
    storeOption,
    {
      flags: '--since <duration>',
      description: 'only deliveries of the last 90s, 15m, 2h or 1d',
      parse: (text) => durationOf('--since', text),
    },
    limitOption,
  ],
  examples: [
    'webhooks deliveries --status FAILED',
    'webhooks deliveries --since 1h --json',
    'webhooks deliveries 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4',
  ],
  async run(context, { status, order, store, since, limit }, given) {
    if (given !== undefined) {
      const delivery = await context.client().getDelivery({ params: { delivery_id: deliveryIdOf(given) } });
      return context.show(delivery, () => deliveryText(context, delivery));
    }
    const start = since === undefined ? undefined : new Date(context.terminal.now().getTime() - since).toISOString();
    const query = { status, order_id: order, vendor_id: store, since: start, page_size: pageSize(limit) };
    const found = await take(context.client().listDeliveries.all({ query }), limit);
    context.show(found, () => deliveriesTable(context, found));
  },
});

const replay = defineCommand<{ failedSince?: number }, [string | undefined]>({
  name: 'webhooks replay',
  args: [{ name: '[delivery]', description: 'the id of a delivery' }],
  summary: 'Send deliveries again',
  options: [
    {
      flags: '--failed-since <duration>',
      description: 'all failed deliveries of the last 15m, 2h or 1d',
      parse: (text) => durationOf('--failed-since', text),
    },
  ],
  examples: ['webhooks replay 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4', 'webhooks replay --failed-since 2h'],
  async run(context, { failedSince }, given) {
    if ((given === undefined) === (failedSince === undefined)) {
      throw new UsageError('Give either the id of a delivery or --failed-since.');
    }
    const client = context.client();
    if (given !== undefined) {
      await client.resendDelivery({ params: { delivery_id: deliveryIdOf(given) } });
      return showDelivery(context, given);
    }
    const since = new Date(context.terminal.now().getTime() - (failedSince ?? 0)).toISOString();
    const result = await client.resendFailedDeliveries({ body: { since } });
    context.show(
      result,
      () => `${context.paint('green', '✓')} ${count(result.resent, 'delivery', 'deliveries')} resent.`,
    );
  },
});

export const webhookCommands: CommandRow[] = [list, set, ping, deliveries, replay];

async function putWebhook(context: Context, options: SetOptions, url: string): Promise<Webhook> {
  const { store, environment, catalogUrl } = options;
  const authorization = webhookAuthorization(context.terminal);
  const client = context.client();
  const current = await findWebhook(client, store);
  const kept = Object.fromEntries(
    (['staging_url', 'production_url', 'staging_catalog_url', 'production_catalog_url'] as const)
      .map((name) => [name, current?.[name] ?? undefined] as const)
      .filter(([, value]) => value !== undefined),
  );
  const body: WebhookInput = {
    ...kept,
    environment,
    [`${environment}_url`]: url,
    ...(catalogUrl !== undefined && { [`${environment}_catalog_url`]: catalogUrl }),
    ...(authorization !== undefined && { secret: authorization }),
  };
  return store === undefined
    ? client.putWebhook({ body })
    : client.putVendorWebhook({ params: { vendor_id: store }, body });
}

async function findWebhook(client: AisleClient, store: string | undefined): Promise<Webhook | undefined> {
  try {
    return await (store === undefined
      ? client.getWebhook()
      : client.getVendorWebhook({ params: { vendor_id: store } }));
  } catch (error) {
    if (isApiError(error, 'webhook_not_found')) return undefined;
    throw error;
  }
}

async function showDelivery(context: Context, deliveryId: string): Promise<void> {
  const delivery = await waitForDelivery(context, deliveryId);
  context.show(delivery, () => deliveryText(context, delivery));
  if (delivery.status !== 'DELIVERED') throw new CliError('The message was not delivered.');
}

function webhookText(context: Context, webhook: Webhook): string {
  return context.fields([
    ['Webhook', webhook.vendor_id === null ? 'of the chain' : `of the store ${webhook.vendor_id}`],
    ['Status', { text: webhook.status, style: styleOf(webhook.status) }],
    ['Environment', webhook.environment],
    ['Staging', webhook.staging_url ?? undefined],
    ['Production', webhook.production_url ?? undefined],
    ['Signing secret', webhook.signing_secret && `${webhook.signing_secret} (shown only once)`],
  ]);
}

function webhooksTable(context: Context, webhooks: readonly Webhook[]): string {
  if (webhooks.length === 0) return 'No webhooks. Set one with aisle webhooks set URL.';
  return context.table(
    [
      { title: 'STORE' },
      { title: 'ENVIRONMENT' },
      { title: 'STATUS' },
      { title: 'URL', flexible: true },
      { title: 'FAILING SINCE' },
    ],
    webhooks.map((webhook) => [
      webhook.vendor_id ?? '(chain)',
      webhook.environment,
      { text: webhook.status, style: styleOf(webhook.status) },
      (webhook.environment === 'staging' ? webhook.staging_url : webhook.production_url) ?? '',
      webhook.failing_since === null ? '' : context.relative(webhook.failing_since),
    ]),
  );
}

function deliveryIdOf(given: string): string {
  return idOf('delivery', given, 'aisle webhooks deliveries shows the deliveries with their ids.');
}

function deliveriesTable(context: Context, found: readonly Delivery[]): string {
  if (found.length === 0) return 'No deliveries.';
  return context.table(
    [
      { title: 'DELIVERY' },
      { title: 'TYPE', flexible: true },
      { title: 'STATUS' },
      { title: 'TRIES', align: 'right' },
      { title: 'CREATED' },
    ],
    found.map((delivery) => [
      delivery.delivery_id,
      delivery.type,
      { text: delivery.status, style: styleOf(delivery.status) },
      String(delivery.attempt_count),
      context.relative(delivery.created_at),
    ]),
  );
}
