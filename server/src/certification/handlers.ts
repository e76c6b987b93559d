import type { certificationRoutes } from '@aisle/contract/certification';
import type { Config } from '../config.ts';
import { type Access, getVendor } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { countCertifications, findCertification, listCertifications, listScenarios } from './queries.ts';
import { certificationReport, certificationResponse } from './response.ts';
import { startCertification } from './start-certification.ts';
import { stopCertification } from './stop-certification.ts';

const defaultStepSeconds = 30;

export function certificationHandlers({ links }: Config): Handlers<typeof certificationRoutes, Access> {
  const getVisible = async (db: Db, { chainId, actor }: Access, certificationId: string) => {
    const row = await findCertification(db, chainId, actor.vendorIds, certificationId);
    if (!row) throw notFound('certification_not_found', certificationId);
    return row;
  };
  return {
    async startCertification({ access, body, transaction }) {
      const { vendor, actor } = access;
      const options = {
        stepSeconds: body?.step_seconds ?? defaultStepSeconds,
        names: body?.scenarios,
        startedBy: `${actor.kind}:${actor.id}`,
      };
      const row = await transaction(async (tx) => {
        const { certification_id } = await startCertification(tx, access.chainId, vendor, options);
        return getVisible(tx, access, certification_id);
      });
      return { status: 202, body: certificationResponse(row, links) };
    },

    async listCertifications({ access, query, db }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const vendor = query.vendor_id === undefined ? undefined : await getVendor(db, chainId, actor, query.vendor_id);
      const vendorIds = vendor ? [vendor.vendor_id] : actor.vendorIds;
      const rows = await listCertifications(db, chainId, vendorIds, page);
      const total = await countCertifications(db, chainId, vendorIds);
      const certifications = rows.map((row) => certificationResponse(row, links));
      return { status: 200, body: paged('certifications', certifications, total, page) };
    },

    async getCertification({ access, params, db }) {
      const row = await getVisible(db, access, params.certification_id);
      const scenarios = await listScenarios(db, access.chainId, row.certification_id);
      return { status: 200, body: certificationReport(row, scenarios, links) };
    },

    async stopCertification({ access, params, transaction }) {
      const row = await transaction(async (tx) => {
        const { certification_id } = await getVisible(tx, access, params.certification_id);
        await stopCertification(tx, access.chainId, certification_id, links);
        return getVisible(tx, access, certification_id);
      });
      return { status: 200, body: certificationResponse(row, links) };
    },
  };
}
