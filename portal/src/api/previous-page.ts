type Paths = { params?: object };
type Earlier = { queryKey: readonly unknown[] };

/**
 * Keeps the previous page of a list visible while the next one loads, but not the data of another store, order or chain,
 * which would look like that of the chosen one. The input is the last part of a query's key.
 */
export function keepPreviousPage(input: object) {
  return <Data>(previous: Data | undefined, earlier: Earlier | undefined): Data | undefined => {
    const before = (earlier?.queryKey.at(-1) ?? {}) as Paths;
    return JSON.stringify(before.params) === JSON.stringify((input as Paths).params) ? previous : undefined;
  };
}
