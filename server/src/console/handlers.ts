import type { onboardingRoutes } from '@aisle/contract/onboarding';
import type { operationsRoutes } from '@aisle/contract/operations';
import type { supportRoutes } from '@aisle/contract/support';
import type { Config } from '../config.ts';
import { deliveryResponse, resendDelivery } from '../deliveries/index.ts';
import { type Access, findChain, type Lookups } from '../identity/index.ts';
import { discardDeadTask, listDeadTasks, retryDeadTask } from '../kernel/background/dead-tasks.ts';
import type { Db } from '../kernel/database/db.ts';
import { Failure, notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { getPlatformOrder, orderResponse } from '../orders/index.ts';
import { listAlerts } from './alert-queries.ts';
import { countForChecklist } from './checklist-queries.ts';
import {
  findChainNames,
  listClosedStores,
  listFailingEndpoints,
  listOpenOrders,
  listRunningJobs,
} from './overview-queries.ts';
import { readOverview } from './overview.ts';
import {
  closedStore,
  deadTask,
  jobOf,
  failingEndpoint,
  found,
  listedAlert,
  openOrder,
  runningJob,
  timelineEntry,
} from './response.ts';
import { checklistOf } from './rules/checklist.ts';
import { search } from './search.ts';
import { listTimeline } from './timeline-queries.ts';

type Routes = typeof operationsRoutes &
  Pick<typeof supportRoutes, 'platformSearch' | 'platformGetOrderTimeline'> &
  Pick<typeof onboardingRoutes, 'platformGetChecklist' | 'getChecklist'>;

const maxListed = 200;

export function consoleHandlers({ links }: Config, lookups: Lookups): Handlers<Routes, Access> {
  const checklist = async ({ db, access }: { db: Db; access: Access }) => {
    const steps = checklistOf(await countForChecklist(db, access.chainId));
    // A caller that is limited to some stores sees what is done, but not how much the other stores have.
    const most = access.actor.vendorIds === null ? Number.POSITIVE_INFINITY : 1;
    const body = { steps: steps.map((step) => ({ ...step, count: Math.min(step.count, most) })) };
    return { status: 200 as const, body };
  };
  return {
    async platformGetOverview({ db }) {
      return { status: 200, body: await readOverview(db) };
    },

    async platformListAlerts({ db, query }) {
      const rows = await listAlerts(db, query.is_open, maxListed);
      return { status: 200, body: { alerts: rows.map(listedAlert) } };
    },

    async platformListOpenOrders({ db, query }) {
      const rows = await listOpenOrders(db, query, maxListed);
      return { status: 200, body: { orders: rows.map(openOrder) } };
    },

    async platformListClosedStores({ db }) {
      return { status: 200, body: { stores: (await listClosedStores(db, maxListed)).map(closedStore) } };
    },

    async platformListFailingEndpoints({ db }) {
      return { status: 200, body: { endpoints: (await listFailingEndpoints(db, maxListed)).map(failingEndpoint) } };
    },

    async platformListRunningJobs({ db }) {
      return { status: 200, body: { jobs: (await listRunningJobs(db, maxListed)).map(runningJob) } };
    },

    async platformListDeadTasks({ db }) {
      const tasks = await listDeadTasks(db, maxListed);
      const names = await findChainNames(db, [...new Set(tasks.map(({ chain_id }) => chain_id))]);
      return { status: 200, body: { tasks: tasks.map((task) => deadTask(task, names)) } };
    },

    async platformRetryDeadTask({ db, transaction, params }) {
      const task = await transaction(async (tx) => {
        const retried = existing(params.task_id, await retryDeadTask(tx, params.task_id));
        if (jobOf(retried) === null) return retried;
        throw new Failure('job_state_conflict', 'The job of this task has ended; discard the task.');
      });
      return { status: 200, body: deadTask(task, await findChainNames(db, [task.chain_id])) };
    },

    async platformDiscardDeadTask({ db, transaction, params }) {
      const task = await transaction(async (tx) => existing(params.task_id, await discardDeadTask(tx, params.task_id)));
      return { status: 200, body: deadTask(task, await findChainNames(db, [task.chain_id])) };
    },

    async platformResendPartnerDelivery({ access, params, transaction }) {
      const everything = { vendorIds: null, types: null };
      const delivery = await transaction((tx) => resendDelivery(tx, access.chainId, everything, params.delivery_id));
      return { status: 202, body: deliveryResponse(delivery) };
    },

    async platformSearch({ db, query }) {
      return { status: 200, body: { results: (await search(db, query.query)).map(found) } };
    },

    async platformGetOrderTimeline({ db, params }) {
      const order = await getPlatformOrder(db, lookups, params.order_id);
      const chain = await findChain(db, order.chain_id);
      const entries = await listTimeline(db, order.chain_id, order.order_id);
      const body = {
        order: orderResponse(order, links),
        chain_name: chain?.name ?? '',
        entries: entries.map(timelineEntry),
      };
      return { status: 200, body };
    },

    platformGetChecklist: checklist,
    getChecklist: checklist,
  };
}

/** Failing in the transaction keeps the audit log free of actions that did not happen. */
function existing<Task>(taskId: string, task: Task | undefined): Task {
  if (!task) throw notFound('task_not_found', taskId, null);
  return task;
}
