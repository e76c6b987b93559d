import type { historyRoutes } from '@aisle/contract/history';
import type { previewRoutes } from '@aisle/contract/previews';
import { type Access, findActorName, findOrigin } from '../identity/index.ts';
import { type Downloads, jobResponse, listJobOrigins } from '../jobs/index.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { getPreview } from './apply-preview.ts';
import { cancelJob } from './cancel-job.ts';
import { hasOffer, listHistory } from './history-queries.ts';
import { readPreview } from './read-preview.ts';
import { acceptRevert } from './accept-revert.ts';
import { accepted } from './accepted.ts';
import { isLimited } from './rules/is-limited.ts';
import { historyResponse } from './rules/history-response.ts';

/** Files can be previewed too, so that feature applies previews. */
type Routes = Omit<typeof previewRoutes, 'applyCatalogPreview'> & typeof historyRoutes;

export function catalogJobHandlers(downloads: Downloads): Handlers<Routes, Access> {
  return {
    async getCatalogPreview({ access, params, query, db, reserve }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const job = await getPreview(db, chainId, actor.vendorIds, params.job_id);
      const { items, total, counts } = await readPreview(db, chainId, job.job_id, query.class, page, reserve);
      return { status: 200, body: { ...paged('items', items, total, page), counts } };
    },

    async cancelCatalogJob({ access, params, db, transaction }) {
      const { chainId, actor } = access;
      const name = await findActorName(db, access);
      const job = await transaction((tx) =>
        cancelJob(tx, chainId, actor.vendorIds, params.job_id, { name, downloads }),
      );
      return { status: 200, body: await jobResponse(db, chainId, job, downloads) };
    },

    async revertCatalogJob({ access, params, body, db, transaction, address }) {
      const { chainId, actor } = access;
      const origin = await findOrigin(db, access, address);
      const terms = { skus: body?.skus, isLimited: isLimited(access), origin };
      return accepted(await transaction((tx) => acceptRevert(tx, chainId, actor.vendorIds, params.job_id, terms)));
    },

    async listProductHistory({ access, query, db }) {
      const { chainId, vendor } = access;
      const { sku, limit = 50 } = query;
      if (!(await hasOffer(db, chainId, vendor.vendor_id, sku))) {
        throw notFound('product_not_found', sku, 'this store');
      }
      const rows = await listHistory(db, chainId, vendor.vendor_id, sku, limit);
      const jobIds = rows.flatMap(({ job_id }) => job_id ?? []);
      const names = new Map((await listJobOrigins(db, chainId, jobIds)).map(({ job_id, name }) => [job_id, name]));
      return { status: 200, body: { changes: rows.map((row) => historyResponse(row, names)) } };
    },
  };
}
