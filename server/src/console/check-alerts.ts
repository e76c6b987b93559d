import { alertEvents, type AlertKind } from '@aisle/contract/alerts';
import type { Config } from '../config.ts';
import { findBacklog } from '../deliveries/index.ts';
import { recordPlatformEvent } from '../events/index.ts';
import { insertPlatform, platformId } from '../identity/index.ts';
import { countTasks } from '../kernel/background/dead-tasks.ts';
import { readTime } from '../kernel/database/clock.ts';
import type { Tx } from '../kernel/database/db.ts';
import type { Scope } from '../kernel/database/scope.ts';
import { newId } from '../kernel/values/ids.ts';
import { listFailingPlatformWebhooks } from '../webhooks/index.ts';
import {
  type AlertRow,
  endAlert,
  insertAlert,
  listEndpointsFailingFor,
  listLastUses,
  listOpenAlerts,
  listWaitingStores,
  readInSequence,
} from './alert-queries.ts';
import { alertResponse } from './response.ts';
import { type Cause, compareCauses, findSilentStores, isDelayed } from './rules/alerts.ts';

/**
 * Alerts are rows. A check compares the open ones with what is the case now, and starts and ends alerts in the
 * transaction that also records their events. So a worker that dies in between leaves nothing behind, and the next check
 * finds the same. Several workers can check at the same time: there can be only one open alert for a cause, and only one
 * of them ends it.
 */
type Limits = Config['alerts'];

/** Checks the stores and the webhooks of chains. */
export async function checkChains(tx: Tx, scope: Scope, limits: Limits): Promise<string> {
  const open = await listOpenAlerts(tx, scope, ['STORE_SILENT', 'ENDPOINT_FAILING']);
  const causes = [...(await findSilence(tx, scope, limits)), ...(await findFailures(tx, scope, limits))];
  const ofChains = open.filter(({ chain_id }) => chain_id !== platformId);
  return settle(tx, ofChains, causes);
}

/** Checks the platform's own webhooks, and the backlogs that all chains share. */
export async function checkPlatform(tx: Tx, limits: Limits): Promise<string> {
  readInSequence(tx);
  const open = await listOpenAlerts(tx, platformId, ['ENDPOINT_FAILING', 'DELIVERIES_DELAYED', 'TASKS_DELAYED']);
  const now = await readTime(tx);
  const backlog = (kind: AlertKind, waiting: number, oldestSeconds: number): Cause[] => {
    const isOpen = open.some((alert) => alert.kind === kind);
    if (!isDelayed(oldestSeconds, limits.backlogSeconds, isOpen)) return [];
    return [platformCause({ kind, cause: kind, since: new Date(now.getTime() - oldestSeconds * 1000), waiting })];
  };
  const deliveries = await findBacklog(tx);
  const queue = await countTasks(tx);
  const failing = await listFailingPlatformWebhooks(tx, limits.endpointMinutes);
  const causes = [
    ...failing.map(({ webhook_id, url, since }) =>
      platformCause({ kind: 'ENDPOINT_FAILING', cause: `endpoint ${webhook_id}`, webhook_id, url, since }),
    ),
    ...backlog('DELIVERIES_DELAYED', deliveries.due, deliveries.oldest_seconds),
    ...backlog('TASKS_DELAYED', queue.tasks, queue.oldest_seconds),
  ];
  if (causes.length > 0) await insertPlatform(tx);
  return settle(tx, open, causes);
}

async function findSilence(tx: Tx, scope: Scope, { silentMinutes }: Limits): Promise<Cause[]> {
  const waiting = await listWaitingStores(tx, scope, silentMinutes);
  if (waiting.length === 0) return [];
  const uses = await listLastUses(tx, [...new Set(waiting.map(({ chain_id }) => chain_id))]);
  const limit = new Date((await readTime(tx)).getTime() - silentMinutes * 60_000);
  return findSilentStores(waiting, uses, limit);
}

async function findFailures(tx: Tx, scope: Scope, { endpointMinutes }: Limits): Promise<Cause[]> {
  const endpoints = await listEndpointsFailingFor(tx, scope, endpointMinutes);
  return endpoints.map(({ endpoint_id, ...endpoint }) => ({
    ...endpoint,
    kind: 'ENDPOINT_FAILING',
    cause: `endpoint ${endpoint_id}`,
    waiting: null,
  }));
}

function platformCause(cause: Pick<Cause, 'kind' | 'cause' | 'since'> & Partial<Cause>): Cause {
  return { chain_id: platformId, vendor_id: null, webhook_id: null, url: null, waiting: null, ...cause };
}

/** If a chain's only client fails, all of its stores are silent at once. The rest follows with the next check. */
const maxStarted = 500;

async function settle(tx: Tx, open: AlertRow[], causes: Cause[]): Promise<string> {
  const { started, ended } = compareCauses(open, causes);
  for (const cause of started.slice(0, maxStarted)) {
    const alert = await insertAlert(tx, cause.chain_id, newId(), cause);
    if (alert) recordAlertEvent(tx, alert);
  }
  for (const { chain_id, alert_id } of ended) {
    const alert = await endAlert(tx, chain_id, alert_id);
    if (alert) recordAlertEvent(tx, alert);
  }
  return `${started.length} started, ${ended.length} ended`;
}

function recordAlertEvent(tx: Tx, alert: AlertRow): void {
  const [start, end] = alertEvents[alert.kind];
  recordPlatformEvent(tx, alert.chain_id, {
    type: alert.ended_at === null ? start : end,
    body: alertResponse(alert),
    vendorId: alert.vendor_id,
    subject: `alert ${alert.alert_id}`,
  });
}
