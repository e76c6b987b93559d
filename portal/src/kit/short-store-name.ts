/** The name of a store without the name of its chain, for narrow screens: "Dubai Marina". */
export function shortStoreName(store: string, chain: string): string {
  if (!store.toLowerCase().startsWith(chain.toLowerCase())) return store;
  const rest = store.slice(chain.length);
  const short = rest.replace(/^[\s,،:–—-]+/, '');
  return short === '' || short === rest ? store : short;
}
