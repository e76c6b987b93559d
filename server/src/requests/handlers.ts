import type { requestRoutes } from '@aisle/contract/requests';
import { type Access, getVendor } from '../identity/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { parseTime } from '../kernel/values/time.ts';
import { countDropped, countRequests, findRequest, listRequests } from './queries.ts';
import { requestDetailsResponse, requestResponse } from './response.ts';
import { canSeeData } from './rules/visible-data.ts';
import { statusRange } from './rules/status-range.ts';

export function requestHandlers(): Handlers<typeof requestRoutes, Access> {
  return {
    async listRequests({ access, query, db }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const vendor = query.vendor_id === undefined ? undefined : await getVendor(db, chainId, actor, query.vendor_id);
      const filter = {
        ...query,
        vendor_id: vendor?.vendor_id,
        statuses: query.status === undefined ? undefined : statusRange(query.status),
        since: timeOf(query.since),
        until: timeOf(query.until),
      };
      const rows = await listRequests(db, chainId, actor.vendorIds, filter, page);
      const entries = rows.map((row) => requestResponse(row, canSeeData(actor.scopes, row)));
      const total = await countRequests(db, chainId, actor.vendorIds, filter);
      const dropped = await countDropped(db, chainId);
      return { status: 200, body: { ...paged('requests', entries, total, page), dropped } };
    },

    async getRequest({ access, params, query, db }) {
      const { chainId, actor } = access;
      const receivedAt = timeOf(query.received_at);
      const row = await findRequest(db, chainId, actor.vendorIds, params.request_id, receivedAt);
      if (!row) throw notFound('request_not_found', params.request_id);
      return { status: 200, body: requestDetailsResponse(row, canSeeData(actor.scopes, row)) };
    },
  };
}

/** Validation has already rejected invalid times. */
function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (parseTime(text) as Date);
}
