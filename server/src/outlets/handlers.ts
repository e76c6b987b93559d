import type { outletRoutes } from '@aisle/contract/outlets';
import type { Access } from '../identity/index.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { parseTime } from '../kernel/values/time.ts';
import { changeStatus } from './change-status.ts';
import { findStatus } from './queries.ts';
import { statusAt, type StoredStatus } from './rules/status.ts';

export function outletHandlers(): Handlers<typeof outletRoutes, Access> {
  return {
    async getOutletStatus({ db, access: { chainId, vendor } }) {
      const status = statusAt(await findStatus(db, chainId, vendor.vendor_id), new Date());
      return { status: 200, body: statusResponse(vendor.vendor_id, status) };
    },

    async putOutletStatus({ db, transaction, access: { chainId, vendor }, body }) {
      const { status, closed_until: until, ...rest } = body;
      if (status === 'CHECKIN') {
        const now = statusAt(await findStatus(db, chainId, vendor.vendor_id), new Date());
        return { status: 200, body: statusResponse(vendor.vendor_id, now) };
      }
      const time = until === undefined ? null : parseTime(until);
      const request = { ...rest, status, ...(time && { closed_until: time }) };
      const next = await transaction((tx) => changeStatus(tx, chainId, vendor, request, 'partner', new Date()));
      return { status: 200, body: statusResponse(vendor.vendor_id, next) };
    },

    async platformPutOutletStatus({ transaction, access: { chainId, vendor }, body }) {
      const next = await transaction((tx) => changeStatus(tx, chainId, vendor, body, 'platform', new Date()));
      return { status: 200, body: statusResponse(vendor.vendor_id, next) };
    },
  };
}

function statusResponse(vendorId: string, { status, closed_reason, closed_until }: StoredStatus) {
  return {
    vendor_id: vendorId,
    status,
    ...(closed_reason !== null && { closed_reason }),
    ...(closed_until !== null && { closed_until: closed_until.toISOString() }),
  };
}
