/** A place in the virtual folders. `store` is as the client wrote it: a platform id, an external id or `all`. */
export type Place =
  | { kind: 'root' }
  /** A folder with one folder per store. */
  | { kind: 'stores'; of: 'catalog' | 'exports' }
  | ({ kind: 'inbox' } & Inbox)
  | ({ kind: 'template' } & Inbox)
  | ({ kind: 'upload'; name: string } & Inbox)
  | { kind: 'exportFolder'; store: string }
  | { kind: 'export'; store: string }
  | { kind: 'results' }
  | { kind: 'result'; name: string };

/** A folder for uploads. */
export type Inbox = { of: 'catalog'; store: string } | { of: 'products' | 'promotions' };

export const templateName = 'TEMPLATE.csv';
export const exportName = 'catalog.csv';
export const maxPathLength = 1024;

/**
 * Returns the absolute path without `.`, `..` and empty parts. The parent of the root is the root. Undefined if no file
 * can have this path.
 */
export function normalizePath(path: string): string | undefined {
  if (path.length > maxPathLength || /[\\\p{Cc}\uFFFD]/u.test(path) || !path.isWellFormed()) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Undefined if the virtual folders have no such path. */
export function parsePlace(path: string): Place | undefined {
  const normal = normalizePath(path);
  if (normal === undefined) return undefined;
  const [first, ...rest] = normal.split('/').slice(1);
  if (first === '') return { kind: 'root' };
  if (first === 'products' || first === 'promotions') return inbox({ of: first }, rest);
  if (first === 'results') return results(rest);
  if (first !== 'catalog' && first !== 'exports') return undefined;
  const [store, ...inside] = rest;
  if (store === undefined) return { kind: 'stores', of: first };
  return first === 'catalog' ? inbox({ of: 'catalog', store }, inside) : exportPlace(store, inside);
}

function inbox(of: Inbox, [name, ...more]: string[]): Place | undefined {
  if (more.length > 0) return undefined;
  if (name === undefined) return { kind: 'inbox', ...of };
  return name === templateName ? { kind: 'template', ...of } : { kind: 'upload', name, ...of };
}

function results([name, ...more]: string[]): Place | undefined {
  if (more.length > 0) return undefined;
  return name === undefined ? { kind: 'results' } : { kind: 'result', name };
}

function exportPlace(store: string, [name, ...more]: string[]): Place | undefined {
  if (more.length > 0 || store === 'all') return undefined;
  if (name === undefined) return { kind: 'exportFolder', store };
  return name === exportName ? { kind: 'export', store } : undefined;
}
