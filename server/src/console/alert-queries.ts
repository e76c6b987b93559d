import type { AlertKind } from '@aisle/contract/alerts';
import { lateAfterMinutes } from '@aisle/contract/sizes';
import { countAffected } from '../kernel/database/count-affected.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { inScope, type Scope } from '../kernel/database/scope.ts';
import { urlSql } from './overview-queries.ts';
import type { Cause, LastUse, WaitingStore } from './rules/alerts.ts';

export type AlertRow = Cause & { alert_id: string; started_at: Date; ended_at: Date | null };
export type ListedAlertRow = AlertRow & { chain_name: string; vendor_name: string | null };

/**
 * On a distributed database, a transaction that has read from all nodes with several connections cannot write to
 * `chains` any more. This makes it use one connection to each node.
 */
export function readInSequence(tx: Tx): void {
  tx.send("set local citus.multi_shard_modify_mode = 'sequential'");
}

export function listOpenAlerts(tx: Tx, scope: Scope, kinds: readonly AlertKind[]): Promise<AlertRow[]> {
  return tx.query(`select a.* from alerts a where ${inScope('a', '$1')} and a.kind = any ($2) and a.ended_at is null`, [
    scope,
    kinds,
  ]);
}

/** Returns undefined if another worker has started an alert with this cause. */
export async function insertAlert(
  tx: Tx,
  chainId: string,
  alertId: string,
  alert: Cause,
): Promise<AlertRow | undefined> {
  const rows = await tx.query<AlertRow>(
    `insert into alerts (chain_id, alert_id, kind, cause, vendor_id, webhook_id, url, since, waiting)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (chain_id, cause) where ended_at is null do nothing returning *`,
    [
      chainId,
      alertId,
      alert.kind,
      alert.cause,
      alert.vendor_id,
      alert.webhook_id,
      alert.url,
      alert.since,
      alert.waiting,
    ],
  );
  return rows[0];
}

/** Returns undefined if another worker has ended the alert. */
export async function endAlert(tx: Tx, chainId: string, alertId: string): Promise<AlertRow | undefined> {
  const rows = await tx.query<AlertRow>(
    'update alerts set ended_at = now() where chain_id = $1 and alert_id = $2 and ended_at is null returning *',
    [chainId, alertId],
  );
  return rows[0];
}

export function deleteOldAlerts(tx: Tx, days: number): Promise<number> {
  return countAffected(tx, 'delete from alerts where ended_at < now() - make_interval(days => $1)', [days]);
}

/** Open alerts, then those that ended in the last day, newest first. */
export function listAlerts(db: Db, isOpen: boolean | undefined, limit: number): Promise<ListedAlertRow[]> {
  return db.query(
    `select a.*, c.name as chain_name, v.name as vendor_name
     from alerts a join chains c on c.chain_id = a.chain_id
       left join vendors v on v.chain_id = a.chain_id and v.vendor_id = a.vendor_id
     where (a.ended_at is null or a.ended_at > now() - interval '24 hours')
       and ($1::boolean is null or (a.ended_at is null) = $1)
     order by a.ended_at desc nulls first, a.started_at desc, a.alert_id limit $2`,
    [isOpen, limit],
  );
}

/**
 * Open stores whose orders have been waiting for `minutes`, and that have changed none of their orders in this time. An
 * order for later begins to wait when the store has to begin with it. Test orders do not count.
 */
export function listWaitingStores(tx: Tx, scope: Scope, minutes: number): Promise<WaitingStore[]> {
  return tx.query(
    `with waiting as (
       select o.chain_id, o.vendor_id, greatest(o.created_at, o.promised_for - interval '${lateAfterMinutes} minutes') as since
       from orders o
       where ${inScope('o', '$1')} and o.created_at > now() - interval '24 hours' and o.status = 'RECEIVED' and not o.is_test
     )
     select w.chain_id, w.vendor_id, count(*)::int as orders, min(w.since) as waiting_since
     from waiting w
     left join outlet_statuses s on ${inScope('s', '$1')} and s.chain_id = w.chain_id and s.vendor_id = w.vendor_id
     where w.since <= now() - make_interval(mins => $2)
       and (s.status is null or s.status = 'OPEN' or s.closed_until <= now())
       and not exists (
         select from orders n
         where ${inScope('n', '$1')} and n.chain_id = w.chain_id and n.vendor_id = w.vendor_id
           and n.created_at > now() - interval '24 hours' and n.updated_at > now() - make_interval(mins => $2)
           and n.updated_by = 'vendor')
     group by w.chain_id, w.vendor_id`,
    [scope, minutes],
  );
}

/**
 * When the credentials of these chains that can work on orders were last used: tokens, clients, and the sessions of
 * pickers and of users who are limited to some stores. Others, such as the owner of a chain, can be far from its stores.
 */
export function listLastUses(tx: Tx, chainIds: string[]): Promise<LastUse[]> {
  return tx.query(
    `select chain_id, vendor_ids, max(at) as at from (
       select chain_id, vendor_ids, last_used_at as at from api_tokens
       where chain_id = any ($1) and scopes && '{orders:read,orders:write}'
       union all
       select chain_id, vendor_ids, last_used_at from clients
       where chain_id = any ($1) and scopes && '{orders:read,orders:write}'
       union all
       select s.chain_id, l.vendor_ids, s.last_used_at
       from sessions s join users u on u.chain_id = s.chain_id and u.user_id = s.user_id
         left join user_vendors l on l.chain_id = s.chain_id and l.user_id = s.user_id
       where s.chain_id = any ($1) and (u.role = 'PICKER' or l.vendor_ids is not null)
     ) used where at is not null group by chain_id, vendor_ids`,
    [chainIds],
  );
}

export type FailingEndpoint = {
  chain_id: string;
  endpoint_id: string;
  webhook_id: string;
  vendor_id: string | null;
  url: string | null;
  since: Date;
};

/** The endpoints of chains that have been failing for `minutes`, or were disabled because they failed. */
export function listEndpointsFailingFor(tx: Tx, scope: Scope, minutes: number): Promise<FailingEndpoint[]> {
  return tx.query(
    `select e.chain_id, e.endpoint_id, e.webhook_id, w.vendor_id, ${urlSql} as url,
       coalesce(e.failing_since, e.disabled_at) as since
     from endpoints e join webhooks w on ${inScope('w', '$1')} and w.chain_id = e.chain_id and w.webhook_id = e.webhook_id
     where ${inScope('e', '$1')} and case when e.disabled_at is null
       then e.failing_since <= now() - make_interval(mins => $2) else e.disabled_reason <> 'MANUAL' end`,
    [scope, minutes],
  );
}
