import type { InputError } from '@aisle/contract/common';
import type { SubCode } from '@aisle/contract/sub-codes';
import { describeValue } from '@aisle/contract/value-faults';
import type { Tx } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { type CategoryRow, findUsedCategories, listCategories, lockCategories, replaceCategories } from './queries.ts';

export type CategoryInput = {
  global_id?: string;
  parent_global_id?: string | null;
  details: { name: Record<string, string>; description?: Record<string, string> };
  active?: boolean;
};

/** Replaces the whole tree. Fails if a removed category still contains products. */
export async function putCategories(tx: Tx, chainId: string, input: CategoryInput[]): Promise<CategoryRow[]> {
  const categories = input.map((category) => ({
    global_id: category.global_id ?? newId(),
    parent_global_id: category.parent_global_id ?? null,
    name: category.details.name,
    description: category.details.description ?? {},
    active: category.active ?? true,
  }));
  const errors = checkTree(categories);
  if (errors.length > 0) throw invalid(errors);
  await lockCategories(tx, chainId);
  const kept = categories.map((category) => category.global_id);
  const used = await findUsedCategories(tx, chainId, kept);
  if (used.length > 0) {
    const names = used
      .map((category) => category.global_id)
      .slice(0, 10)
      .join(', ');
    throw invalid([{ pointer: '/categories', code: 'in_use', message: describeValue('category_used', { names }) }]);
  }
  await replaceCategories(tx, chainId, categories);
  return listCategories(tx, chainId);
}

/**
 * Checks that ids are unique, parents exist, there are no cycles, the tree is not too deep, and every category has a
 * name.
 */
function checkTree(categories: CategoryRow[]): InputError[] {
  const found: InputError[] = [];
  const byId = new Map(categories.map((category) => [category.global_id, category]));
  const seen = new Set<string>();
  const known = new Map<string, number>();
  categories.forEach((category, index) => {
    const at = (field: string, code: SubCode<'error'>, message: string) =>
      found.push({ pointer: `/categories/${index}/${field}`, code, message });
    if (seen.has(category.global_id)) at('global_id', 'repeated', 'must not be repeated');
    seen.add(category.global_id);
    if (Object.keys(category.name).length === 0)
      at('details/name', 'missing', 'must have a name in at least one locale');
    if (category.parent_global_id === null) return;
    if (!byId.has(category.parent_global_id)) at('parent_global_id', 'unknown', 'must be a global_id in this list');
    const depth = depthOf(category, byId, known);
    if (depth === Number.POSITIVE_INFINITY) at('parent_global_id', 'circular', 'must not form a cycle');
    else if (depth > maxDepth) at('parent_global_id', 'too_deep', `must be at most ${maxDepth} levels deep`);
  });
  return found;
}

const maxDepth = 20;

/**
 * Returns the depth of a category, which is infinite in a cycle. `known` caches depths, so that each category is
 * visited once.
 */
function depthOf(category: CategoryRow, byId: Map<string, CategoryRow>, known: Map<string, number>): number {
  const path: string[] = [];
  const visited = new Set<string>();
  let depth = 0;
  for (let current: CategoryRow | undefined = category; current; current = byId.get(current.parent_global_id ?? '')) {
    const rest = known.get(current.global_id);
    if (rest !== undefined) {
      depth = rest;
      break;
    }
    if (visited.has(current.global_id)) return Number.POSITIVE_INFINITY;
    visited.add(current.global_id);
    path.push(current.global_id);
  }
  for (const id of path.toReversed()) known.set(id, ++depth);
  return depth;
}
