import { type ReceiverBehavior, recoverableBehaviors } from '../e2e/support/receivers.ts';
import type { Random } from './random.ts';

/**
 * The world of a simulation, drawn from the seed: chains with their stores, products and promotions, and how their
 * receivers behave. Every string in a chain's data contains the chain's tag, so misplaced data can be recognized.
 */
export type World = { chains: ChainPlan[] };

export type ChainPlan = {
  /** `chain-1`, `chain-2` … */
  tag: string;
  profile: 'strict' | 'tolerant';
  stores: { name: string; transport: 'LOGISTICS_DELIVERY' | 'VENDOR_DELIVERY' }[];
  products: ProductPlan[];
  promotions: PromotionPlan[];
  receiver: ReceiverBehavior | 'wrong-tls';
};

/**
 * - plenty: the stock is large enough for every order, and updates change only the price.
 * - scarce: sells out during the simulation.
 * - promoted: plenty, with a promotion and a fixed price.
 * - weighed: sold by weight.
 * - restocked: not sold; updates change price and quantity.
 */
export type ProductKind = 'plenty' | 'scarce' | 'promoted' | 'weighed' | 'restocked';
export type ProductPlan = { sku: string; kind: ProductKind; price: number; quantity: number };

export type PromotionPlan = {
  name: string;
  sku: string;
  type: 'STRIKETHROUGH' | 'SAME_ITEM_BUNDLE';
  percent: number;
  limits: { global_limit?: number; max_items_per_order?: number };
};

/** `wrong-tls`: until the chain fixes the URL, it starts with https, although the receiver does not use TLS. */
export const receiverBehaviors = [...recoverableBehaviors, 'gone', 'wrong-tls'] as const satisfies (
  | ReceiverBehavior
  | 'wrong-tls'
)[];

export const largeStock = 1_000_000;
/** The price of every promoted product. It never changes, so the discount shows how many units were discounted. */
export const promotedPrice = 10;

const chainCount = 6;

export function drawWorld(random: Random): World {
  // Each chain behaves differently, so that one simulation covers half of the behaviors.
  const behaviors = random.fork('receivers').sample(receiverBehaviors, chainCount);
  const chains = behaviors.map((receiver, index) => drawChain(random.fork(`chain ${index}`), index + 1, receiver));
  return { chains };
}

function drawChain(random: Random, number: number, receiver: ChainPlan['receiver']): ChainPlan {
  const tag = `chain-${number}`;
  return {
    tag,
    receiver,
    profile: random.chance(0.3) ? 'tolerant' : 'strict',
    stores: Array.from({ length: random.integer(1, 2) }, (_, index) => ({
      name: `${tag} store ${index + 1}`,
      transport: random.chance(0.3) ? 'VENDOR_DELIVERY' : 'LOGISTICS_DELIVERY',
    })),
    products: [
      ...drawProducts(random, 'plenty', 8),
      ...drawProducts(random, 'scarce', 2),
      ...drawProducts(random, 'weighed', 2),
      ...drawProducts(random, 'promoted', 3),
      ...drawProducts(random, 'restocked', 20),
    ],
    promotions: drawPromotions(random, tag),
  };
}

function drawProducts(random: Random, kind: ProductKind, count: number): ProductPlan[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `${kind.toUpperCase()}-${index + 1}`,
    kind,
    price: kind === 'promoted' ? promotedPrice : random.integer(100, 2000) / 100,
    quantity: kind === 'scarce' ? random.integer(10, 60) : largeStock,
  }));
}

function drawPromotions(random: Random, tag: string): PromotionPlan[] {
  const limits = { global_limit: random.integer(10, 80), max_items_per_order: random.integer(1, 4) };
  return [
    { name: `${tag} half price`, sku: 'PROMOTED-1', type: 'STRIKETHROUGH', percent: 50, limits },
    { name: `${tag} fifth off`, sku: 'PROMOTED-2', type: 'STRIKETHROUGH', percent: 20, limits: {} },
    {
      name: `${tag} two plus one`,
      sku: 'PROMOTED-3',
      type: 'SAME_ITEM_BUNDLE',
      percent: 100,
      limits: { global_limit: random.integer(5, 40) },
    },
  ];
}
