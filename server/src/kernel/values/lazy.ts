/** Returns a function that creates the value on its first call, and returns the same value on later calls. */
export function lazy<T>(create: () => T): () => T {
  let value: { of: T } | undefined;
  return () => (value ??= { of: create() }).of;
}
