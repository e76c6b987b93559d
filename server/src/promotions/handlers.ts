import { type promotionRoutes, refusalColumns } from '@aisle/contract/promotions';
import type { Config } from '../config.ts';
import { type Access, type Actor, admitVendors, findVendors, listAllVendors } from '../identity/index.ts';
import { fileResponse, findJob, listFeedback, readJob } from '../jobs/index.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { type Handlers, reading } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { acceptPromotion, type VendorTarget } from './accept-promotion.ts';
import { type PromotionJob, promotionJob } from './job.ts';
import { countEntries, countPromotions, findPromotion, listEntries, listPromotions } from './queries.ts';
import type { PromotionReader } from './read-body.ts';
import { entryResponse, promotionResponse, promotionJobResponse } from './rules/response.ts';

export function promotionHandlers(config: Config, reader: PromotionReader): Handlers<typeof promotionRoutes, Access> {
  return {
    putPromotion: reading({
      read: ({ body }) => reader.read('promotion', body, { now: Date.now() }),
      async handle({ access, plan, transaction }) {
        const jobId = await transaction(async (tx) => {
          const target = await findTarget(tx, access.actor, access.chainId, plan.header.vendors);
          refuseTooMany(plan.total * target.known.length, config.limits.promotionPairs);
          return acceptPromotion(tx, access.chainId, plan, target);
        });
        return { status: 202, body: { job_id: jobId, job_status: 'QUEUED' } };
      },
    }),

    async getPromotionJob({ db, access, params }) {
      const job = await getPromotionJob(db, access, params.job_id);
      const feedback = await listFeedback(db, access.chainId, [job.job_id]);
      return { status: 200, body: promotionJobResponse(job, feedback, config.publicUrl) };
    },

    async downloadPromotionJob({ db, access, params, headers }) {
      const job = await getPromotionJob(db, access, params.job_id);
      return fileResponse(db, access.chainId, job, refusalColumns, headers.accept);
    },

    async listPromotions({ db, access, query }) {
      const now = new Date();
      const page = pageOf(query);
      const vendorId = await findCovered(db, access, query.vendor_id);
      const filter = { state: query.state, vendorId, now };
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
      if (!row) throw new Failure('promotion_not_found');
      const [entries, total] = await Promise.all([
        listEntries(db, chainId, row.promotion_id, page),
        countEntries(db, chainId, row.promotion_id),
      ]);
      const discount = paged('discount', entries.map(entryResponse), total, page);
      return { status: 200, body: { ...promotionResponse(row, new Date()), ...discount } };
    },
  };
}

async function findTarget(tx: Tx, actor: Actor, chainId: string, vendors: string[] | '*'): Promise<VendorTarget> {
  if (vendors === '*') {
    admitVendors(actor, '*');
    return { known: (await listAllVendors(tx, chainId)).map((vendor) => vendor.vendor_id), unknown: [] };
  }
  const found = new Map((await findVendors(tx, chainId, vendors)).map((row) => [row.asked, row.vendor_id]));
  admitVendors(
    actor,
    vendors.map((id) => found.get(id) ?? id),
  );
  return { known: [...new Set(found.values())].toSorted(), unknown: vendors.filter((id) => !found.has(id)) };
}

function refuseTooMany(pairs: number, max: number): void {
  if (pairs <= max) return;
  const message = `must not be more than ${max} SKUs × vendors in one request`;
  throw invalid([{ pointer: '/discount', code: 'too_long', message }]);
}

async function getPromotionJob(db: Db, { chainId, actor }: Access, jobId: string): Promise<PromotionJob> {
  const job = await findJob(db, chainId, actor.vendorIds, [promotionJob.type], jobId);
  if (!job) throw new Failure('job_not_found');
  return readJob(promotionJob, job);
}

/** The vendor a list is asked for, by either of its ids. */
async function findCovered(db: Db, { chainId, actor }: Access, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const [vendor] = await findVendors(db, chainId, [id]);
  if (!vendor) throw new Failure('vendor_not_found');
  admitVendors(actor, [vendor.vendor_id]);
  return vendor.vendor_id;
}
