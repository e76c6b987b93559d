import type { outletRoutes } from '@aisle/contract/outlets';
import { type Access, countVendors, listVendors, resolveVendors } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { changeStatus, changeStatuses, type StatusChange } from './change-status.ts';
import { getStatus, getStatuses } from './read-status.ts';
import { statusResponse, type StatusRequest } from './rules/status.ts';

export function outletHandlers(): Handlers<typeof outletRoutes, Access> {
  return {
    async listOutletStatuses({ db, access: { chainId, actor }, query }) {
      const page = pageOf(query);
      const only = actor.vendorIds && [...actor.vendorIds];
      const vendors = await listVendors(db, chainId, only, page);
      const total = vendors[0]?.total ?? (await countVendors(db, chainId, only));
      const ids = vendors.map((vendor) => vendor.vendor_id);
      const statuses = await getStatuses(db, chainId, ids);
      const outlets = Array.from(statuses, ([id, status]) => statusResponse(id, status));
      return { status: 200, body: paged('outlets', outlets, total, page) };
    },

    async putOutletStatuses({ db, transaction, access: { chainId, actor }, body }) {
      const { vendor_ids: ids, ...change } = body;
      const { known } = await resolveVendors(db, chainId, actor, ids);
      const results = await transaction((tx) => changeStatuses(tx, chainId, known, requestOf(change)));
      const idOf = new Map(
        known.flatMap((vendor) => [vendor.vendor_id, vendor.external_id ?? ''].map((id) => [id, vendor.vendor_id])),
      );
      return { status: 200, body: { results: ids.map((id) => resultResponse(idOf.get(id) ?? id, results)) } };
    },

    async getOutletStatus({ db, access: { chainId, vendor } }) {
      return { status: 200, body: await readStatus(db, chainId, vendor.vendor_id) };
    },

    async putOutletStatus({ db, transaction, access: { chainId, vendor }, body }) {
      const { status, ...rest } = body;
      if (status === 'CHECKIN') return { status: 200, body: await readStatus(db, chainId, vendor.vendor_id) };
      const request = requestOf({ ...rest, status });
      const next = await transaction((tx) => changeStatus(tx, chainId, vendor, request, 'partner'));
      return { status: 200, body: statusResponse(vendor.vendor_id, next) };
    },

    async platformPutOutletStatus({ transaction, access: { chainId, vendor }, body }) {
      const next = await transaction((tx) => changeStatus(tx, chainId, vendor, body, 'platform'));
      return { status: 200, body: statusResponse(vendor.vendor_id, next) };
    },
  };
}

function requestOf({ closed_until: until, ...rest }: Omit<StatusRequest, 'closed_until'> & { closed_until?: string }) {
  const time = until === undefined ? null : parseTime(until);
  return { ...rest, ...(time && { closed_until: time }) };
}

async function readStatus(db: Db, chainId: string, vendorId: string) {
  return statusResponse(vendorId, await getStatus(db, chainId, vendorId));
}

function resultResponse(vendorId: string, results: Map<string, StatusChange>) {
  const result = results.get(vendorId);
  if (!result) {
    const detail = 'This chain does not have a store with this id.';
    return { vendor_id: vendorId, is_changed: false, error: { code: 'vendor_not_found' as const, detail } };
  }
  const outlet = statusResponse(vendorId, result.status);
  return { vendor_id: vendorId, is_changed: !result.error, outlet, ...(result.error && { error: result.error }) };
}
