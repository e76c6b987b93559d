import type { Links } from '../config.ts';
import { listDeliveriesForOrders, type OrderDelivery } from '../deliveries/index.ts';
import { findVendors, type VendorRow } from '../identity/index.ts';
import { savepoint, type Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { listOrdersById, orderResponse } from '../orders/index.ts';
import { listOrderPuts } from '../requests/index.ts';
import { act, cancelOrder } from './act.ts';
import { findFailedRequest } from './failed-request.ts';
import {
  finishCertification,
  listScenarios,
  lockCertification,
  type CertificationRow,
  type ScenarioRow,
  type StepResult,
  updateScenario,
} from './queries.ts';
import { checkStep, type Observed } from './rules/check-step.ts';
import { expectedItems, type Plan } from './rules/plan.ts';
import { scenarios } from './rules/scenarios.ts';
import type { Action, Check } from './rules/steps.ts';

/**
 * How a certification runs.
 *
 * Its scenarios are rows, each with the results of the steps that have ended, so the number of results is the number of
 * the current step. One task runs them all. In every slice, it reads what is known about the orders (their state, the
 * deliveries, the device's requests), advances each scenario as far as possible, and waits a moment. A slice is one
 * transaction: if the process is killed, the slice has had no effect and is repeated.
 *
 * The scenarios run at the same time, because each has its own order, and because a receiver that never responds would
 * otherwise take a time limit for every scenario.
 */
export type RunOptions = { links: Links; isRequestLogOn: boolean };

/** Runs one slice. Returns how long it has been since a step started, or undefined if the certification has ended. */
export async function runCertification(
  tx: Tx,
  chainId: string,
  certificationId: string,
  options: RunOptions,
): Promise<number | undefined> {
  const certification = await lockCertification(tx, chainId, certificationId);
  if (certification?.status !== 'RUNNING') return undefined;
  const [vendor] = await findVendors(tx, chainId, [certification.vendor_id]);
  const rows = await listScenarios(tx, chainId, certificationId);
  if (!vendor) return endCertification(tx, certification, rows, 'STOPPED', options.links);
  const slice = { tx, chainId, vendor, certification, options, known: await observe(tx, chainId, rows, options) };
  const advanced: ScenarioRow[] = [];
  // Resending waits for the lock of a lane, so it comes before everything that a sender could wait for.
  for (const row of rows.toSorted(resendingFirst)) {
    const after = await advance(slice, row);
    if (after !== row) await updateScenario(tx, chainId, certificationId, after);
    advanced.push(after);
  }
  const running = advanced.filter(({ status }) => status === 'RUNNING');
  if (running.length > 0) return Date.now() - Math.max(...running.map((row) => row.step_started_at.getTime()));
  const hasFailed = advanced.some(({ status }) => status === 'FAILED');
  return endCertification(tx, certification, advanced, hasFailed ? 'FAILED' : 'PASSED', options.links);
}

/** Ends a locked certification, and cancels the orders that no device will pick any more. */
export async function endCertification(
  tx: Tx,
  { chain_id, certification_id }: CertificationRow,
  rows: ScenarioRow[],
  status: 'PASSED' | 'FAILED' | 'STOPPED',
  links: Links,
): Promise<undefined> {
  const orders = await listOrdersById(tx, chain_id, orderIdsOf(rows));
  for (const { order_id } of orders.filter((order) => order.status === 'RECEIVED')) {
    await savepoint(tx, () => cancelOrder(tx, chain_id, order_id, { now: new Date(), links })).catch(ignoreFailure);
  }
  await finishCertification(tx, chain_id, certification_id, status);
}

type Known = { observed: Observed; deliveries: OrderDelivery[] };
type Slice = {
  tx: Tx;
  chainId: string;
  vendor: VendorRow;
  certification: CertificationRow;
  options: RunOptions;
  known: (orderId: string | null) => Known;
};

async function observe(tx: Tx, chainId: string, rows: ScenarioRow[], { links, isRequestLogOn }: RunOptions) {
  const ids = orderIdsOf(rows.filter(({ status }) => status === 'RUNNING'));
  const orders = new Map((await listOrdersById(tx, chainId, ids)).map((order) => [order.order_id, order]));
  const deliveries = Map.groupBy(await listDeliveriesForOrders(tx, chainId, ids), ({ order_id }) => order_id);
  const puts = Map.groupBy(await listOrderPuts(tx, chainId, ids), ({ order_id }) => order_id);
  return (orderId: string | null): Known => {
    const order = orders.get(orderId ?? '');
    const own = deliveries.get(orderId ?? '') ?? [];
    const observed = {
      order: order && orderResponse(order, links),
      deliveries: own,
      puts: isRequestLogOn ? (puts.get(orderId ?? '') ?? []) : undefined,
    };
    return { observed, deliveries: own };
  };
}

function resendingFirst(one: ScenarioRow, other: ScenarioRow): number {
  return Number(isResending(other)) - Number(isResending(one));
}

function isResending({ name, status, steps }: ScenarioRow): boolean {
  // The action follows a check that may be about to pass.
  const next = scenarios[name].steps.slice(steps.length, steps.length + 2);
  return status === 'RUNNING' && next.some((step) => 'act' in step && step.act === 'send_again');
}

/** Takes as many steps as possible. */
async function advance(slice: Slice, row: ScenarioRow): Promise<ScenarioRow> {
  const next = await takeStep(slice, row);
  return next ? advance(slice, next) : row;
}

/** Returns the scenario after its current step, or undefined if the step or the scenario does not go on now. */
async function takeStep(slice: Slice, row: ScenarioRow): Promise<ScenarioRow | undefined> {
  const { plan, status, steps, name } = row;
  if (status !== 'RUNNING' || plan === null) return undefined;
  const step = scenarios[name].steps[steps.length];
  if (!step) return { ...row, status: 'PASSED' };
  return 'act' in step ? takeAction(slice, { ...row, plan }, step) : takeCheck(slice, { ...row, plan }, step);
}

async function takeAction(slice: Slice, row: ScenarioRow & { plan: Plan }, step: Action): Promise<ScenarioRow> {
  const { tx, chainId, vendor, options } = slice;
  const now = new Date();
  const { deliveries } = slice.known(row.order_id);
  const context = { vendor, links: options.links, now };
  const result = resultOf(step, row, now);
  try {
    const orderId = await savepoint(tx, () => act(tx, chainId, step, row, deliveries, context));
    return { ...row, order_id: orderId, acted_at: now, step_started_at: now, steps: [...row.steps, result] };
  } catch (error) {
    // For example, the webhook was deleted while the certification was running.
    if (!(error instanceof Failure)) throw error;
    const code = error.code === 'webhook_not_found' ? ('no_webhook' as const) : null;
    const failed: StepResult = { ...result, status: 'FAILED', actual: error.message, actual_code: code };
    return { ...row, status: 'FAILED', steps: [...row.steps, failed] };
  }
}

async function takeCheck(
  slice: Slice,
  row: ScenarioRow & { plan: Plan },
  step: Check,
): Promise<ScenarioRow | undefined> {
  const now = new Date();
  const { observed } = slice.known(row.order_id);
  const clock = {
    now,
    startedAt: row.step_started_at,
    actedAt: row.acted_at,
    stepSeconds: slice.certification.step_seconds,
  };
  const verdict = checkStep(step, row.plan, observed, clock);
  if (verdict.status === 'RUNNING') return undefined;
  const result: StepResult = {
    ...resultOf(step, row, now),
    status: verdict.status,
    actual: verdict.found.actual,
    actual_code: verdict.found.code,
    actual_values: verdict.found.values,
    request: await findFailedRequest(slice.tx, slice.chainId, verdict),
  };
  const status = verdict.status === 'FAILED' ? 'FAILED' : 'RUNNING';
  return { ...row, status, step_started_at: now, steps: [...row.steps, result] };
}

function resultOf(step: Action | Check, row: ScenarioRow & { plan: Plan }, now: Date): StepResult {
  const times = { started_at: row.step_started_at.toISOString(), finished_at: now.toISOString() };
  const shared = { title: step.title, status: 'PASSED' as const, actual: null, request: null, ...times };
  if ('act' in step) return { ...shared, by: 'AISLE', expected: null, rule: null, documentation: null };
  const expected = step.check === 'fulfilled' ? expectedItems(row.plan) : step.expected;
  return { ...shared, by: 'INTEGRATION', expected, rule: step.rule, documentation: step.page };
}

function orderIdsOf(rows: ScenarioRow[]): string[] {
  return rows.flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
