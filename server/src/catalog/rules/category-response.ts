import type { CategoryRow } from '../queries.ts';

export function categoryResponse({ global_id, parent_global_id, name, description, active }: CategoryRow) {
  return { global_id, parent_global_id, details: { name, description }, active };
}
