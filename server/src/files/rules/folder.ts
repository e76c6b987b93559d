/** What a file in a folder changes. `vendorId` is the platform id of a store, or `all`. */
export type Folder = { kind: 'catalog'; vendorId: string } | { kind: 'products' } | { kind: 'promotions' };
export type FolderKind = Folder['kind'];

export const folderKinds = ['catalog', 'products', 'promotions'] as const satisfies readonly FolderKind[];

/** Parses a path such as `/catalog/all`. Accepts a store's external id. Undefined if there is no such folder. */
export function parseFolder(path: string): Folder | undefined {
  const [kind, store, ...rest] = path.replace(/^\/|\/$/g, '').split('/');
  if (rest.length > 0) return undefined;
  if (kind === 'catalog') return store ? { kind, vendorId: store } : undefined;
  return (kind === 'products' || kind === 'promotions') && store === undefined ? { kind } : undefined;
}

export function folderPath(folder: Folder): string {
  return folder.kind === 'catalog' ? `/catalog/${folder.vendorId}` : `/${folder.kind}`;
}

export function requiredScope({ kind }: Folder): 'catalog:write' | 'promotions:write' {
  return kind === 'promotions' ? 'promotions:write' : 'catalog:write';
}
