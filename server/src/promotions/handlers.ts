import { RejectionRow } from '@aisle/contract/promotion';
import type { promotionRoutes } from '@aisle/contract/promotions';
import { findTitles } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import { type Access, findOrigin, getVendor, resolveVendors } from '../identity/index.ts';
import { fileResponse, findJob, listFeedback, listFirstFailures, readJob, signedUrl } from '../jobs/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import { type Handlers, reading } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';
import { acceptPromotion } from './accept-promotion.ts';
import { type PromotionJob, promotionJob } from './job.ts';
import { countEntries, countPromotions, findPromotion, listEntries, listPromotions } from './queries.ts';
import type { PromotionReader } from './read-body.ts';
import { tooManySkus } from './read-promotion.ts';
import { entryResponse, promotionResponse, promotionJobResponse } from './rules/response.ts';

export function promotionHandlers(
  config: Config,
  reader: PromotionReader,
  signer: LinkSigner | undefined,
): Handlers<typeof promotionRoutes, Access> {
  const { links } = config;
  return {
    putPromotion: reading({
      read: (input) => reader.read('promotion', input, { now: Date.now(), maxPairs: config.limits.promotionPairs }),
      async handle({ access, plan, db, transaction, address }) {
        const origin = await findOrigin(db, access, address);
        const jobId = await transaction(async (tx) => {
          const { known, unknown } = await resolveVendors(tx, access.chainId, access.actor, plan.header.vendors);
          const target = { known: known.map((vendor) => vendor.vendor_id).toSorted(), unknown };
          const { promotionPairs: max } = config.limits;
          if (plan.total * target.known.length > max) throw tooManySkus(max);
          return acceptPromotion(tx, access.chainId, plan, target, origin);
        });
        return { status: 202, body: { job_id: jobId, job_status: 'QUEUED' } };
      },
    }),

    async getPromotionJob({ db, access, params }) {
      const job = await getPromotionJob(db, access, params.job_id);
      const feedback = await listFeedback(db, access.chainId, [job.job_id]);
      const url = signedUrl(links.promotionDownload(access.chainId, job.job_id), { links, signer });
      const invalid =
        job.file_name === null ? [] : await listFirstFailures(db, access.chainId, job.job_id, maxInvalidRows);
      return { status: 200, body: promotionJobResponse(job, feedback, invalid, url) };
    },

    async downloadPromotionJob({ db, access, params, headers }) {
      const job = await getPromotionJob(db, access, params.job_id);
      return fileResponse(db, access.chainId, job, RejectionRow, headers);
    },

    async listPromotions({ db, access, query }) {
      const now = new Date();
      const page = pageOf(query);
      const vendor = query.vendor_id && (await getVendor(db, access.chainId, access.actor, query.vendor_id));
      const filter = { state: query.state, vendorId: vendor ? vendor.vendor_id : undefined, sku: query.sku, now };
      const [rows, total] = await Promise.all([
        listPromotions(db, access.chainId, access.actor.vendorIds, filter, page),
        countPromotions(db, access.chainId, access.actor.vendorIds, filter),
      ]);
      const promotions = rows.map((row) => promotionResponse(row, now));
      return { status: 200, body: paged('promotions', promotions, total, page) };
    },

    async getPromotion({ db, access, params, query }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const row = await findPromotion(db, chainId, actor.vendorIds, params.promotion_id);
      if (!row) throw notFound('promotion_not_found', params.promotion_id);
      const [entries, total] = await Promise.all([
        listEntries(db, chainId, row.promotion_id, page),
        countEntries(db, chainId, row.promotion_id),
      ]);
      const titles = await findTitles(
        db,
        chainId,
        entries.map((entry) => entry.sku),
      );
      const shown = entries.map((entry) => entryResponse(entry, titles.get(entry.sku)));
      const discount = paged('discount', shown, total, page);
      return { status: 200, body: { ...promotionResponse(row, new Date()), ...discount } };
    },
  };
}

const maxInvalidRows = 100;

async function getPromotionJob(db: Db, { chainId, actor }: Access, jobId: string): Promise<PromotionJob> {
  const job = await findJob(db, chainId, actor.vendorIds, [promotionJob.type], jobId);
  if (!job) throw notFound('job_not_found', jobId);
  return readJob(promotionJob, job);
}
