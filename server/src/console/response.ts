import type { Alert, ListedAlert } from '@aisle/contract/alerts';
import type { ClosedStore, DeadTask, FailingEndpoint, OpenOrder, RunningJob } from '@aisle/contract/operations';
import type { SearchResult, TimelineEntry } from '@aisle/contract/support';
import type { Static } from 'typebox';
import { platformId } from '../identity/index.ts';
import type { DeadTask as DeadTaskRow } from '../kernel/background/dead-tasks.ts';
import { redactSecrets } from '../kernel/monitoring/redact-secrets.ts';
import type { AlertRow, ListedAlertRow } from './alert-queries.ts';
import type { ClosedStoreRow, FailingEndpointRow, OpenOrderRow, RunningJobRow } from './overview-queries.ts';
import type { Found } from './search-queries.ts';
import type { TimelineRow } from './timeline-queries.ts';

/** The alert as in lists and events. */
export function alertResponse(row: AlertRow): Static<typeof Alert> {
  return {
    alert_id: row.alert_id,
    kind: row.kind,
    chain_id: row.chain_id === platformId ? null : row.chain_id,
    vendor_id: row.vendor_id,
    webhook_id: row.webhook_id,
    url: row.url,
    since: row.since.toISOString(),
    waiting: row.waiting,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

export function listedAlert(row: ListedAlertRow): Static<typeof ListedAlert> {
  const alert = alertResponse(row);
  return { ...alert, chain_name: alert.chain_id === null ? '' : row.chain_name, vendor_name: row.vendor_name };
}

export function openOrder({ promised_for, created_at, ...row }: OpenOrderRow): Static<typeof OpenOrder> {
  const status = row.status as Static<typeof OpenOrder>['status'];
  return { ...row, status, promised_for: promised_for?.toISOString() ?? null, created_at: created_at.toISOString() };
}

export function closedStore(row: ClosedStoreRow): Static<typeof ClosedStore> {
  const { closed_until, closed_since, closed_reason, status, ...store } = row;
  return {
    ...store,
    status: status as Static<typeof ClosedStore>['status'],
    closed_reason: (closed_reason ?? 'OTHER') as Static<typeof ClosedStore>['closed_reason'],
    closed_until: closed_until?.toISOString() ?? null,
    closed_since: closed_since.toISOString(),
  };
}

export function failingEndpoint(row: FailingEndpointRow): Static<typeof FailingEndpoint> {
  const { failing_since, disabled_at, ...endpoint } = row;
  return {
    ...endpoint,
    failing_since: failing_since?.toISOString() ?? null,
    disabled_at: disabled_at?.toISOString() ?? null,
  };
}

export function deadTask(task: DeadTaskRow, names: ReadonlyMap<string, string>): Static<typeof DeadTask> {
  const { task_id, chain_id, kind, attempts, last_error, died_at } = task;
  return {
    task_id,
    chain_id: chain_id === platformId ? null : chain_id,
    chain_name: names.get(chain_id) ?? '',
    kind,
    attempts,
    last_error: redactSecrets(last_error),
    died_at: died_at.toISOString(),
    job_id: jobOf(task),
  };
}

/** The job that ended with the task, or null. */
export function jobOf({ payload }: DeadTaskRow): string | null {
  return typeof payload['job_id'] === 'string' ? payload['job_id'] : null;
}

export function runningJob({ apply_at, created_at, ...row }: RunningJobRow): Static<typeof RunningJob> {
  return { ...row, apply_at: apply_at?.toISOString() ?? null, created_at: created_at.toISOString() };
}

export function found({ at, kind, ...row }: Found): Static<typeof SearchResult> {
  return { ...row, kind: kind as Static<typeof SearchResult>['kind'], at: at?.toISOString() ?? null };
}

export function timelineEntry({ at, ...row }: TimelineRow): Static<typeof TimelineEntry> {
  const { kind, id, title, by, outcome, is_failure, duration_ms, delivery_id } = row;
  return { at: at.toISOString(), kind, id, title, by, outcome, is_failure, duration_ms, delivery_id };
}
