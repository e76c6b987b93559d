import { UsageError } from '../errors.ts';

/** A change to a request body, such as `items.0.sku=MLK-00012`. */
export type Setting = { path: string[]; value: unknown };

/** The value is JSON if it can be read as JSON, otherwise text. */
export function parseSetting(text: string): Setting {
  const at = text.indexOf('=');
  const path = text.slice(0, at).split('.');
  const isUnsafe = path.some((part) => part === '' || /^(__proto__|constructor|prototype|\d{4,})$/.test(part));
  if (at < 1 || isUnsafe) {
    throw new UsageError(`--set ${text} is not a change.`, 'Use path=value, as in --set items.0.quantity=2.');
  }
  return { path, value: readValue(text.slice(at + 1)) };
}

/** Returns a copy with the changes. Objects and arrays that do not exist are created. */
export function setValues<Body extends object>(body: Body, settings: readonly Setting[]): Body {
  const copy = structuredClone(body);
  for (const { path, value } of settings) setValue(copy as Node, path, value);
  return copy;
}

type Node = Record<string, unknown>;

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function setValue(root: Node, path: readonly string[], value: unknown): void {
  let node = root;
  for (const [index, name] of path.entries()) {
    if (index === path.length - 1) {
      node[name] = value;
      return;
    }
    const next = node[name];
    const isContainer = typeof next === 'object' && next !== null;
    if (!isContainer) node[name] = /^\d+$/.test(path[index + 1] ?? '') ? [] : {};
    node = node[name] as Node;
  }
}
