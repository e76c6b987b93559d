import type { ResponseBody } from '../api/operations.ts';
import { localText } from '../kit/localized.ts';

export type Category = ResponseBody<'listCategories'>['categories'][number];
export type Branch = Category & { children: Branch[]; depth: number };

/** Builds a tree from a list in which parents come before their children. */
export function buildTree(categories: readonly Category[]): Branch[] {
  const known = new Map<string, Branch>();
  const top: Branch[] = [];
  for (const category of categories) {
    const parent = known.get(category.parent_global_id ?? '');
    const branch = { ...category, children: [], depth: (parent?.depth ?? -1) + 1 };
    known.set(category.global_id, branch);
    (parent?.children ?? top).push(branch);
  }
  return top;
}

export function flatten(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...flatten(branch.children)]);
}

/** The category's name in the language of the portal, otherwise in the store's, or in any language. */
export function nameOf(category: Pick<Category, 'details' | 'global_id'>, locale: string): string {
  return localText(category.details.name, locale) ?? category.global_id;
}
