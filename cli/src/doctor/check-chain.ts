import { type AisleClient, isApiError, type Webhook, type Whoami } from '@aisle/sdk';
import { explainError } from '../report-error.ts';
import { count, plain } from '../terminal/text.ts';
import { failure, type Finding, ok, skipped, warning } from './finding.ts';

/** The credentials, and how the chain's webhooks and jobs are doing. */
export async function checkChain(client: AisleClient, now: Date): Promise<Finding[]> {
  let who: Whoami;
  try {
    who = await client.whoami();
  } catch (error) {
    return [failure('credentials', explainError(error).message, 'Run aisle login with a valid token.')];
  }
  const parts = await Promise.all([checkWebhooks(client, now), checkDeliveries(client, now), checkJobs(client, now)]);
  return [checkExpiry(who, now), ...parts.flat()];
}

function checkExpiry({ name, chain, expires_at }: Whoami, now: Date): Finding {
  const message = `"${plain(name)}" of ${plain(chain.name)}`;
  if (expires_at === null || Date.parse(expires_at) - now.getTime() > 7 * 86_400_000) return ok('credentials', message);
  return warning('credentials', `${message} expires at ${expires_at}`, 'Create a new token with aisle tokens create.');
}

async function checkWebhooks(client: AisleClient, now: Date): Promise<Finding[]> {
  return whenAllowed('webhooks', async () => {
    const findings: Finding[] = [];
    for await (const webhook of client.listWebhooks.all()) findings.push(checkWebhook(webhook, now));
    if (findings.length > 0) return findings;
    const remedy = 'Set one with aisle webhooks set URL, or read the event feed.';
    return [warning('webhooks', 'no webhook is set up, so events are not sent', remedy)];
  });
}

function checkWebhook(webhook: Webhook, now: Date): Finding {
  const name = webhook.vendor_id === null ? 'the webhook of the chain' : `the webhook of ${webhook.vendor_id}`;
  if (webhook.status === 'DISABLED') {
    const remedy = 'Fix the receiver, then enable the webhook in the portal.';
    return failure('webhooks', `${name} is disabled (${webhook.disabled_reason})`, remedy);
  }
  if (webhook.failing_since === null) return ok('webhooks', `${name} works`);
  const minutes = Math.round((now.getTime() - Date.parse(webhook.failing_since)) / 60_000);
  const message = `${name} has been failing for ${count(minutes, 'minute')}`;
  return failure('webhooks', message, 'aisle webhooks ping shows why.');
}

async function checkDeliveries(client: AisleClient, now: Date): Promise<Finding[]> {
  return whenAllowed('deliveries', async () => {
    const since = new Date(now.getTime() - 86_400_000).toISOString();
    const { total_items: lost } = await client.listDeliveries({ query: { status: 'EXHAUSTED', since, page_size: 1 } });
    if (lost === 0) return [];
    const message = `${count(lost, 'delivery', 'deliveries')} of the last day failed every attempt`;
    return [warning('deliveries', message, 'Send them again with aisle webhooks replay --failed-since 1d.')];
  });
}

async function checkJobs(client: AisleClient, now: Date): Promise<Finding[]> {
  return whenAllowed('jobs', async () => {
    const { jobs } = await client.listCatalogJobs({ query: { status: 'QUEUED', page_size: 100 } });
    const late = jobs.filter(({ created_at, apply_at }) => {
      return apply_at === undefined && now.getTime() - Date.parse(created_at) > 300_000;
    });
    if (late.length === 0) return [ok('jobs', 'no catalog job has been waiting for more than five minutes')];
    const message = `${count(late.length, 'catalog job')} waited for more than five minutes`;
    return [warning('jobs', message, 'Check that a worker runs, and start more of them.')];
  });
}

/** A token can lack the scope that a check needs. */
async function whenAllowed(area: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!isApiError(error, 'forbidden')) throw error;
    return [skipped(area, 'the credentials do not allow this check')];
  }
}
