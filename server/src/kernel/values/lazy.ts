/** Returns a function that creates the value on its first call, and returns the same value on later calls. */
export function lazy<T>(create: () => T): () => T {
  let value: { of: T } | undefined;
  return () => (value ??= { of: create() }).of;
}

/** Returns a function that creates the value for each key on its first call with the key. Keys are compared by identity. */
export function lazyFor<Key extends object, T>(create: (key: Key) => T): (key: Key) => T {
  const values = new WeakMap<Key, { of: T }>();
  return (key) => {
    const value = values.get(key) ?? { of: create(key) };
    values.set(key, value);
    return value.of;
  };
}
