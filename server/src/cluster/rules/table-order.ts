/** Sorts tables so that each comes after those it refers to. `first` comes first. */
export function sortByReferences(
  names: readonly string[],
  references: readonly { source: string; target: string }[],
  first: string,
): string[] {
  const sorted: string[] = [];
  const targetsOf = (name: string) => references.filter(({ source }) => source === name).map(({ target }) => target);
  let pending = [...names].toSorted((a, b) => Number(b === first) - Number(a === first) || a.localeCompare(b));
  while (pending.length > 0) {
    const isReady = (name: string) => targetsOf(name).every((target) => !pending.includes(target));
    const ready = pending.filter(isReady);
    if (ready.length === 0) throw new Error(`Tables refer to each other in a circle: ${pending.join(', ')}.`);
    sorted.push(...ready);
    pending = pending.filter((name) => !ready.includes(name));
  }
  return sorted;
}
