import type { fileRoutes } from '@aisle/contract/files';
import type { previewRoutes } from '@aisle/contract/previews';
import type { Config } from '../config.ts';
import { applyPreview, readApplyAt, readApplyTerms } from '../catalog/index.ts';
import { type Access, findOrigin, getVendor } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { invalid, notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { acceptFile } from './accept-file.ts';
import { createChainLimit } from './chain-limit.ts';
import { countFiles, type FileRow, findFile, listFiles, updateJobOf } from './queries.ts';
import { getFailedRows } from './read-results.ts';
import { fileResponses } from './response.ts';
import type { Folder } from './rules/folder.ts';
import { failedRowsName } from './rules/name.ts';
import { template } from './rules/template.ts';
import { receiveFile } from './receive-file.ts';
import { getFolder, type Uploader } from './upload-file.ts';

/** Previews are applied here, because one that was created from a file belongs to it. */
type Routes = typeof fileRoutes & Pick<typeof previewRoutes, 'applyCatalogPreview'>;

export function fileHandlers(config: Config): Handlers<Routes, Access> {
  const { links, limits } = config;
  const uploads = createChainLimit(16, 'is uploading files');
  return {
    async uploadFile({ access, query, body, db, transaction, address, confirmAccess }) {
      const { chainId, actor } = access;
      const terms = readApplyTerms(query, new Date());
      const uploader = await uploaderOf(db, access, address);
      const folder = await getFolder(db, chainId, actor, query.folder);
      rejectOtherFolders(folder, terms);
      const start = { folder, name: query.name, uploader };
      const leave = uploads.enter(chainId);
      const { fileId, size } = await receiveFile(db, chainId, start, body, limits, confirmAccess).finally(leave);
      const accepted = await transaction((tx) => acceptFile(tx, chainId, fileId, { ...terms, size }));
      return {
        status: 202,
        body: { file_id: accepted.fileId, job_ids: accepted.jobIds, is_repeat: accepted.isRepeat },
        headers: { location: links.file(chainId, accepted.fileId) },
      };
    },

    async applyCatalogPreview({ access, params, body, db, transaction, address }) {
      const { chainId, actor } = access;
      const applyAt = readApplyAt(body?.apply_at, '/apply_at', new Date());
      const origin = await findOrigin(db, access, address);
      const jobId = await transaction(async (tx) => {
        const applied = await applyPreview(tx, chainId, actor.vendorIds, params.job_id, { origin, applyAt });
        await updateJobOf(tx, chainId, params.job_id, applied);
        return applied;
      });
      return { status: 202, body: { job_id: jobId, job_status: 'QUEUED' } };
    },

    async listFiles({ access, query, db }) {
      const { chainId, actor } = access;
      const page = pageOf(query);
      const vendor = query.vendor_id && (await getVendor(db, chainId, actor, query.vendor_id));
      const filter = {
        state: query.state,
        vendorId: vendor ? vendor.vendor_id : undefined,
        ...readableFiles(actor.scopes),
      };
      const rows = await listFiles(db, chainId, actor.vendorIds, filter, page);
      const total = await countFiles(db, chainId, actor.vendorIds, filter);
      return { status: 200, body: paged('files', await fileResponses(db, chainId, rows, links), total, page) };
    },

    async getFile({ access, params, db }) {
      const { chainId, actor } = access;
      const row = await getReadable(db, chainId, actor, params.file_id);
      const [body] = await fileResponses(db, chainId, [row], links);
      return { status: 200, body: body as NonNullable<typeof body> };
    },

    async downloadFailedRows({ access, params, db }) {
      const { chainId, actor } = access;
      const row = await getReadable(db, chainId, actor, params.file_id);
      const stream = await getFailedRows(db, chainId, row);
      return { status: 200, stream, headers: { ...csvHeaders(failedRowsName(row.base_name)), ...notStored } };
    },

    async getFileTemplate({ params }) {
      const kind = params.folder as Parameters<typeof template>[0];
      const stream = once(template(kind));
      return { status: 200, stream, headers: csvHeaders(`${kind}-template.csv`) };
    },
  };
}

/** As with the jobs, the scopes decide whether promotion files, and all other files, can be seen. */
function readableFiles(scopes: readonly string[]) {
  return { promotions: scopes.includes('promotions:read'), others: scopes.includes('catalog:read') };
}

async function getReadable(db: Db, chainId: string, actor: Access['actor'], fileId: string): Promise<FileRow> {
  const row = await findFile(db, chainId, actor.vendorIds, fileId);
  const readable = readableFiles(actor.scopes);
  if (!row || !(row.folder === '/promotions' ? readable.promotions : readable.others)) {
    throw notFound('upload_not_found', fileId);
  }
  return row;
}

/** Only updates can be previewed and scheduled. */
function rejectOtherFolders(folder: Folder, { isDryRun, applyAt }: ReturnType<typeof readApplyTerms>): void {
  if (folder.kind === 'catalog' || (!isDryRun && applyAt === undefined)) return;
  const pointer = isDryRun ? 'dry_run' : 'apply_at';
  throw invalid([{ pointer, code: 'not_allowed', message: 'is available only for the folders in /catalog' }]);
}

async function uploaderOf(db: Db, access: Access, address: string): Promise<Uploader> {
  const { vendorIds, scopes } = access.actor;
  return { ...(await findOrigin(db, access, address)), vendorIds, scopes };
}

/** Names can contain characters that a header cannot, so the name is also sent in the encoding of RFC 5987. */
function csvHeaders(name: string): Record<string, string> {
  const ascii = name.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  const disposition = `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
  return { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition };
}

const notStored = { 'cache-control': 'private, no-store' };

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
