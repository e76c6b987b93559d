import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Folder,
  folderPath,
  type FileRow,
  listFiles,
  isStatusName,
  listResults,
  type ReadableFolders,
  readExport,
  readResult,
  template,
} from '../files/index.ts';
import { findVendors, listAllVendors } from '../identity/index.ts';
import { pageOf } from '../kernel/http/page.ts';
import { type SessionContext, uploaderOf } from './context.ts';
import { denied, noSuchFile } from './refusal.ts';
import { exportName, type Inbox, type Place, templateName } from './rules/path.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** A folder or file as clients see it. The size of an export and of failed rows is known only once they are read. */
export type Entry = {
  name: string;
  isFolder: boolean;
  isWritable: boolean;
  size?: number;
  modifiedAt: Date;
};

/** How long it takes to list an entry, approximately. */
const entryMs = 0.02;

/**
 * Lists a virtual folder. A folder that the user cannot access is reported as not found. A chain lists one folder at a time,
 * and waits if it has used up its share of the process's time.
 */
export function listInTurn(context: SessionContext, place: Place, path: string): Promise<Entry[]> {
  const { user, budget, listings } = context;
  return listings(user.chain_id, async () => {
    const entries = await listEntries(context, place, path);
    const waitMs = budget.spend(user.chain_id, entries.length * entryMs);
    if (waitMs > 0) await sleep(waitMs);
    return entries;
  });
}

async function listEntries(context: SessionContext, place: Place, path: string): Promise<Entry[]> {
  if (place.kind === 'root') return rootFolders(context);
  if (place.kind === 'stores') return listStores(context, place.of);
  if (place.kind === 'inbox') return listInbox(context, await getInbox(context, place, path));
  if (place.kind === 'exportFolder') {
    await getStore(context, place.store, path);
    return [{ name: exportName, isFolder: false, isWritable: false, modifiedAt: new Date() }];
  }
  if (place.kind === 'results') return listResultFiles(context);
  throw denied('This is a file, not a folder.');
}

export async function getEntry(context: SessionContext, place: Place, path: string): Promise<Entry> {
  const folder = (isWritable = false): Entry => ({
    name: '',
    isFolder: true,
    isWritable,
    modifiedAt: context.startedAt,
  });
  if (place.kind === 'root') return folder();
  if (place.kind === 'stores' || place.kind === 'results') {
    return (
      rootFolders(context).find(({ name }) => name === (place.kind === 'stores' ? place.of : 'results')) ??
      missing(path)
    );
  }
  if (place.kind === 'inbox') return getInbox(context, place, path).then(() => folder(true));
  if (place.kind === 'exportFolder') return getStore(context, place.store, path).then(() => folder());
  if (place.kind === 'upload') return getUploadEntry(context, place, path);
  const { size, modifiedAt, release } = await getSnapshot(context, place, path);
  release();
  return { name: '', isFolder: false, isWritable: false, size, modifiedAt };
}

/** The folder that files in the inbox are stored in. */
export async function getInbox(context: SessionContext, inbox: Inbox, path: string): Promise<Folder> {
  const folder: Folder = inbox.of === 'catalog' ? { kind: 'catalog', vendorId: inbox.store } : { kind: inbox.of };
  if (!canUse(context.user.scopes, inbox.of)) throw noSuchFile(path);
  if (folder.kind !== 'catalog' || folder.vendorId === 'all') return folder;
  return { kind: 'catalog', vendorId: await getStore(context, folder.vendorId, path) };
}

/** The user's unfinished file with this name. */
export async function findUnfinished(
  context: SessionContext,
  folder: Folder,
  name: string,
): Promise<FileRow | undefined> {
  const rows = await listUnfinished(context, folder);
  return rows.find((row) => row.name === name);
}

export function listUnfinished(context: SessionContext, folder?: Folder): Promise<FileRow[]> {
  const { db, user } = context;
  const filter = {
    state: 'UNFINISHED' as const,
    folder: folder && folderPath(folder),
    actor: uploaderOf(context).by,
    promotions: true,
    others: true,
  };
  return listFiles(db, user.chain_id, user.vendor_ids, filter, pageOf({ page_size: maxUnfinished }));
}

/** The maximum number of unfinished files per user. */
export const maxUnfinished = 500;

/** The content of a file that can be read. The caller must release it. A client that polls a status must see changes. */
export function getSnapshot(context: SessionContext, place: Place, path: string): Promise<Snapshot> {
  const seconds = place.kind === 'result' && isStatusName(place.name) ? 1 : 30;
  return context.snapshots.get(path, seconds, () => readPlace(context, place, path));
}

async function readPlace(context: SessionContext, place: Place, path: string): Promise<Snapshot> {
  if (place.kind === 'template') {
    const { kind } = await getInbox(context, place, path);
    return takeSnapshot(context.memory, context.startedAt, asStream(template(kind)));
  }
  const { db, user } = context;
  if (place.kind === 'export') {
    const store = await getStore(context, place.store, path, 'exports');
    return context.exports.run(user.chain_id, () => {
      const { modifiedAt, stream } = readExport(db, user.chain_id, store);
      return takeSnapshot(context.memory, modifiedAt, stream);
    });
  }
  const name = place.kind === 'result' && canUse(user.scopes, 'results') ? place.name : undefined;
  const found =
    name === undefined
      ? undefined
      : await readResult(db, user.chain_id, user.vendor_ids, readableResults(user.scopes), name);
  if (!found) throw noSuchFile(path);
  return takeSnapshot(context.memory, found.modifiedAt, found.stream);
}

function missing(path: string): never {
  throw noSuchFile(path);
}

function rootFolders({ user, startedAt }: SessionContext): Entry[] {
  const names = (['catalog', 'products', 'promotions', 'exports', 'results'] as const).filter((name) =>
    canUse(user.scopes, name),
  );
  return names.map((name) => ({
    name,
    isFolder: true,
    isWritable: name === 'products' || name === 'promotions',
    modifiedAt: startedAt,
  }));
}

const scopesFor = {
  catalog: ['catalog:write'],
  products: ['catalog:write'],
  promotions: ['promotions:write'],
  exports: ['catalog:read'],
  results: ['catalog:read', 'promotions:read'],
};

function canUse(scopes: readonly string[], folder: keyof typeof scopesFor): boolean {
  return scopesFor[folder].some((scope) => scopes.includes(scope));
}

async function listStores(context: SessionContext, of: 'catalog' | 'exports'): Promise<Entry[]> {
  const { db, user, startedAt } = context;
  if (!canUse(user.scopes, of)) throw noSuchFile(`/${of}`);
  const stores = user.vendor_ids ?? (await listAllVendors(db, user.chain_id)).map((vendor) => vendor.vendor_id);
  const names = of === 'catalog' ? ['all', ...stores] : stores;
  return names.map((name) => ({ name, isFolder: true, isWritable: of === 'catalog', modifiedAt: startedAt }));
}

/** Accepts the platform id and the external id. A store that the user cannot access is reported as not found. */
async function getStore(
  { db, user }: SessionContext,
  id: string,
  path: string,
  of: 'catalog' | 'exports' = 'catalog',
): Promise<string> {
  const [vendor] = id.length <= 64 ? await findVendors(db, user.chain_id, [id]) : [];
  const isVisible = vendor && (user.vendor_ids === null || user.vendor_ids.includes(vendor.vendor_id));
  if (!isVisible || (of === 'exports' && !canUse(user.scopes, of))) throw noSuchFile(path);
  return vendor.vendor_id;
}

async function listInbox(context: SessionContext, folder: Folder): Promise<Entry[]> {
  const files = await listUnfinished(context, folder);
  const { startedAt } = context;
  const size = Buffer.byteLength(template(folder.kind));
  return [
    { name: templateName, isFolder: false, isWritable: false, size, modifiedAt: startedAt },
    ...files.map((file) => ({ name: file.name, ...uploadEntry(file) })),
  ];
}

async function getUploadEntry(context: SessionContext, place: Inbox & { name: string }, path: string): Promise<Entry> {
  const folder = await getInbox(context, place, path);
  const file = await findUnfinished(context, folder, place.name);
  if (file) return { name: '', ...uploadEntry(file) };
  const accepted = context.accepted.get(`${folderPath(folder)}/${place.name}`) ?? missing(path);
  return { name: '', isFolder: false, isWritable: false, ...accepted };
}

function uploadEntry({ size, updated_at: modifiedAt }: FileRow) {
  return { isFolder: false, isWritable: true, size, modifiedAt };
}

async function listResultFiles({ db, user }: SessionContext): Promise<Entry[]> {
  if (!canUse(user.scopes, 'results')) throw noSuchFile('/results');
  const files = await listResults(
    db,
    user.chain_id,
    user.vendor_ids,
    readableResults(user.scopes),
    pageOf({ page_size: maxResults }),
  );
  return files.map((file) => ({ ...file, isFolder: false, isWritable: false }));
}

/** As in the API, the results of promotions and of catalog files require different scopes. */
function readableResults(scopes: readonly string[]): ReadableFolders {
  return { promotions: scopes.includes('promotions:read'), others: scopes.includes('catalog:read') };
}

/** The number of files whose results are listed, newest first. Older results can still be read by name. */
const maxResults = 500;

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
