import type { Response } from '../support/aisle.ts';
import type { Hints } from './values.ts';

/** Values from earlier responses by field name, so that later requests refer to objects that exist. */
export type Pools = { hints(): Hints; collect(response: Response): void };

const collected = /_ids?$|^(sku|email|barcode|cursor|next_cursor)$/;
const maxValues = 12;

/** `fixed` are values that are always available. `hidden` are values that requests must not use. */
export function createPools(fixed: Hints, hidden: readonly string[]): Pools {
  const found: Hints = {};
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value === '' || value.length > 200 || hidden.includes(value)) return;
    const values = (found[name] ??= []);
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > maxValues) values.shift();
  };
  const visit = (value: unknown, name = '') => {
    if (Array.isArray(value)) for (const one of value.slice(0, 5)) visit(one, name.replace(/s$/, ''));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, key);
    } else if (collected.test(name)) add(name === 'next_cursor' ? 'cursor' : name, value);
  };
  return {
    hints() {
      const names = [...new Set([...Object.keys(fixed), ...Object.keys(found)])];
      return Object.fromEntries(names.map((name) => [name, [...(fixed[name] ?? []), ...(found[name] ?? [])]]));
    },
    collect(response) {
      visit(response.body);
      add('etag', response.headers['etag']);
    },
  };
}
