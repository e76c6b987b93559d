import type { Access } from '../../identity/index.ts';

/** A product is shared by all stores of the chain, so a credential for only some of them cannot change it. */
export function isLimited({ actor }: Access): boolean {
  return actor.vendorIds !== null;
}
