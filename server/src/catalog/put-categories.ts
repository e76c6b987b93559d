import type { InputError } from '@aisle/contract/common';
import type { Tx } from '../kernel/db.ts';
import { invalid } from '../kernel/failure.ts';
import { newId } from '../kernel/ids.ts';
import { type CategoryRow, findUsedCategories, listCategories, lockCategories, replaceCategories } from './queries.ts';

export type CategoryInput = {
  global_id?: string;
  parent_global_id?: string | null;
  details: { name: Record<string, string>; description?: Record<string, string> };
  active?: boolean;
};

/** Replaces the tree as a whole, unless products would be left without their category. */
export async function putCategories(tx: Tx, chainId: string, input: CategoryInput[]): Promise<CategoryRow[]> {
  const categories = input.map((category) => ({
    global_id: category.global_id ?? newId(),
    parent_global_id: category.parent_global_id ?? null,
    name: category.details.name,
    description: category.details.description ?? {},
    active: category.active ?? true,
  }));
  const found = judgeTree(categories);
  if (found.length > 0) throw invalid(found);
  await lockCategories(tx, chainId);
  const kept = categories.map((category) => category.global_id);
  const used = await findUsedCategories(tx, chainId, kept);
  if (used.length > 0) {
    const names = used
      .map((category) => category.global_id)
      .slice(0, 10)
      .join(', ');
    throw invalid([{ pointer: '/categories', code: 'in_use', message: `must keep ${names}: products are in it` }]);
  }
  await replaceCategories(tx, chainId, categories);
  return listCategories(tx, chainId);
}

/** Every id once, every parent in the list, no category above itself, every name in at least one language. */
function judgeTree(categories: CategoryRow[]): InputError[] {
  const found: InputError[] = [];
  const byId = new Map(categories.map((category) => [category.global_id, category]));
  const seen = new Set<string>();
  const sound = new Set<string>();
  categories.forEach((category, index) => {
    const at = (field: string, code: string, message: string) =>
      found.push({ pointer: `/categories/${index}/${field}`, code, message });
    if (seen.has(category.global_id)) at('global_id', 'repeated', 'is given twice');
    seen.add(category.global_id);
    if (Object.keys(category.name).length === 0) at('details/name', 'missing', 'must have a name in some locale');
    if (category.parent_global_id === null) return;
    if (!byId.has(category.parent_global_id)) at('parent_global_id', 'unknown', 'must be a global_id of this list');
    else if (isAboveItself(category, byId, sound))
      at('parent_global_id', 'circular', 'must not lead back to the category itself');
  });
  return found;
}

/** `sound` remembers the categories already known to lead to a root, so that a deep tree is walked once. */
function isAboveItself(category: CategoryRow, byId: Map<string, CategoryRow>, sound: Set<string>): boolean {
  const visited = new Set<string>();
  for (let one: CategoryRow | undefined = category; one; one = byId.get(one.parent_global_id ?? '')) {
    if (sound.has(one.global_id)) break;
    if (visited.has(one.global_id)) return true;
    visited.add(one.global_id);
  }
  for (const id of visited) sound.add(id);
  return false;
}
