import type { Tx } from '../kernel/database/db.ts';
import { isUniqueViolation } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { randomBase36 } from '../kernel/values/ids.ts';
import {
  insertVendor,
  isVendorIdTaken,
  listVendorNames,
  lockChain,
  updateVendor,
  type VendorChange,
  type VendorRow,
} from './queries.ts';

/** Generates a short random id, unless `vendorId` is given, which only the demo does. */
export async function createVendor(tx: Tx, chainId: string, input: VendorInput, vendorId?: string): Promise<VendorRow> {
  await lockChain(tx, chainId);
  const id = vendorId ?? (await freeVendorId(tx, chainId));
  await rejectTakenId(tx, chainId, input.external_id, id);
  return insertVendor(tx, chainId, id, flatten(input));
}

/**
 * Creates the vendors of an import. A vendor whose external id is taken is left as it is, so that an interrupted import
 * can be repeated. Without an external id, it is recognized by its name. Returns undefined for these.
 */
export async function createVendors(
  tx: Tx,
  chainId: string,
  inputs: readonly VendorInput[],
): Promise<(VendorRow | undefined)[]> {
  await lockChain(tx, chainId);
  const unnumbered = inputs.filter(({ external_id: id }) => typeof id !== 'string');
  const names = new Set(await listVendorNames(tx, chainId, unnumbered.map(nameOf)));
  const rows: (VendorRow | undefined)[] = [];
  for (const input of inputs) {
    const id = input.external_id;
    const isTaken = typeof id === 'string' ? await isVendorIdTaken(tx, chainId, id, '') : names.has(nameOf(input));
    rows.push(isTaken ? undefined : await insertVendor(tx, chainId, await freeVendorId(tx, chainId), flatten(input)));
    names.add(nameOf(input));
  }
  return rows;
}

export async function changeVendor(tx: Tx, chainId: string, vendorId: string, input: VendorInput): Promise<VendorRow> {
  await lockChain(tx, chainId);
  await rejectTakenId(tx, chainId, input.external_id, vendorId);
  return updateVendor(tx, chainId, vendorId, flatten(input)).catch((error: unknown) => {
    throw isUniqueViolation(error, 'vendors_external_id') ? taken(String(input.external_id)) : error;
  });
}

export type VendorInput = Omit<VendorChange, 'external_id'> & {
  external_id?: string | null;
  settings?: VendorChange;
};

function nameOf({ name }: VendorInput): string {
  return String(name);
}

function flatten({ settings, ...fields }: VendorInput): VendorChange {
  return { ...fields, ...settings };
}

async function freeVendorId(tx: Tx, chainId: string): Promise<string> {
  // The id gets longer after several attempts, so that a free one is found even if the chain has many vendors.
  for (let tries = 0; ; tries++) {
    const id = randomBase36(4 + Math.floor(tries / 5));
    if (!(await isVendorIdTaken(tx, chainId, id, ''))) return id;
  }
}

async function rejectTakenId(tx: Tx, chainId: string, externalId: string | null | undefined, vendorId: string) {
  if (typeof externalId !== 'string') return;
  if (await isVendorIdTaken(tx, chainId, externalId, vendorId)) throw taken(externalId);
}

function taken(externalId: string): Failure {
  return new Failure('external_id_taken', `Another vendor in the chain already has the id ${externalId}.`);
}
