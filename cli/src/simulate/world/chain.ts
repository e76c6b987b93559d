import type { ChainPlan } from './world.ts';

/** A chain of the world that exists on the server. */
export type Chain = ChainPlan & {
  chainId: string;
  token: string;
  /** The start of the chain's paths. */
  base: string;
  /** The platform ids of the stores, in the order of the plan. */
  vendors: string[];
};
