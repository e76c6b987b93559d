type Category = { global_id: string; parent_global_id: string | null; active: boolean };

/** The categories that customers see: active ones whose ancestors are active too. Parents must come before children. */
export function visibleCategories<One extends Category>(categories: readonly One[]): One[] {
  const visible = new Set<string>();
  return categories.filter(({ global_id, parent_global_id, active }) => {
    const isVisible = active && (parent_global_id === null || visible.has(parent_global_id));
    if (isVisible) visible.add(global_id);
    return isVisible;
  });
}
