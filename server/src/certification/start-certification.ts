import { scenarioNames } from '@aisle/contract/certification';
import Type from 'typebox';
import { listSampleOffers } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { defineTask, enqueue } from '../kernel/background/queue.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { rejectUnready } from '../sandbox/index.ts';
import { type CertificationRow, findRunning, insertCertification, insertScenarios } from './queries.ts';
import type { Products, ScenarioName } from './rules/plan.ts';
import { scenarios } from './rules/scenarios.ts';

export const certificationTask = defineTask('certification.run', { certification_id: Type.String() });

export type StartOptions = { stepSeconds: number; names: readonly ScenarioName[] | undefined; startedBy: string };

/** Chooses the products, stores the plan of every scenario and enqueues the task that runs them. */
export async function startCertification(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  { stepSeconds, names = scenarioNames, startedBy }: StartOptions,
): Promise<CertificationRow> {
  const products = await findProducts(tx, chainId, vendor);
  await rejectUnready(tx, chainId, vendor, products ? [] : ['products']);
  const row = await insertCertification(tx, chainId, {
    certification_id: newId(),
    vendor_id: vendor.vendor_id,
    step_seconds: stepSeconds,
    started_by: startedBy,
  });
  if (!row) throw alreadyRunning(await findRunning(tx, chainId, vendor.vendor_id), vendor.vendor_id);
  const { certification_id } = row;
  const chosen = scenarioNames.filter((name) => names.includes(name));
  await insertScenarios(
    tx,
    chainId,
    certification_id,
    chosen.map((name) => ({ name, plan: scenarios[name].plan(products as Products) })),
  );
  const lane = `certification ${certification_id}`;
  await enqueue(tx, certificationTask, [{ chainId, lane, batch: lane, payload: { certification_id } }]);
  return row;
}

async function findProducts(tx: Tx, chainId: string, vendor: VendorRow): Promise<Products | undefined> {
  const [first, second, third] = await listSampleOffers(tx, chainId, vendor.vendor_id, false, 3);
  const [weighed] = await listSampleOffers(tx, chainId, vendor.vendor_id, true, 1);
  if (!first || !second || !third) return undefined;
  return {
    units: [first.sku, second.sku, third.sku],
    weighed: weighed?.sku,
    weightTolerance: Number(vendor.weight_tolerance),
  };
}

function alreadyRunning(certificationId: string | undefined, vendorId: string): Failure {
  return new Failure('certification_running', `A certification of the store ${vendorId} is already running.`, {
    extra: certificationId === undefined ? {} : { certification_id: certificationId },
  });
}
