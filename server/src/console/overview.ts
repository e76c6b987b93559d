import type { Overview } from '@aisle/contract/operations';
import type { Static } from 'typebox';
import { countTasks } from '../kernel/background/dead-tasks.ts';
import type { Db } from '../kernel/database/db.ts';
import {
  countClosedStores,
  countFailingEndpoints,
  countOpenOrders,
  countOrdersByMinute,
  countRunningJobs,
  countWaitingDeliveries,
} from './overview-queries.ts';

type OverviewBody = Static<typeof Overview>;
type Reason = OverviewBody['closed_stores'][number]['reason'];
type Status = OverviewBody['open_orders'][number]['status'];

/** The numbers are read one after the other, so that the overview takes only one connection. */
export async function readOverview(db: Db): Promise<OverviewBody> {
  const minutes = await countOrdersByMinute(db);
  const open = await countOpenOrders(db);
  const closed = await countClosedStores(db);
  const { tasks, oldest_seconds, dead } = await countTasks(db);
  return {
    at: new Date().toISOString(),
    orders_per_minute: minutes.map(({ minute, orders }) => ({ minute: minute.toISOString(), orders })),
    open_orders: open.map(({ status, orders }) => ({ status: status as Status, orders })),
    late_orders: open.reduce((sum, { late }) => sum + late, 0),
    closed_stores: closed.map(({ reason, stores }) => ({ reason: (reason ?? 'OTHER') as Reason, stores })),
    failing_endpoints: await countFailingEndpoints(db),
    deliveries: await countWaitingDeliveries(db),
    queue: { tasks, oldest_seconds },
    dead_tasks: dead,
    running_jobs: await countRunningJobs(db),
  };
}
