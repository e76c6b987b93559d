import type { Chain } from './chain.ts';

/** Returns the part of the text that belongs to another chain, unless it is in the path of the request. */
export type FindForeign = (chain: string, text: string, path: string) => string | undefined;

/** Finds text and ids that belong to another chain. */
export function foreignFinder(chains: Chain[]): FindForeign {
  const owners = new Map(
    chains.flatMap(
      ({ tag, chainId }) =>
        [
          [tag, tag],
          [chainId, tag],
        ] as const,
    ),
  );
  const pattern = new RegExp(`chain-\\d+|${chains.map(({ chainId }) => chainId).join('|')}`, 'g');
  return (chain, text, path) =>
    text.match(pattern)?.find((found) => owners.get(found) !== chain && !path.includes(found));
}
