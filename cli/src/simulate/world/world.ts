import type { Random } from './random.ts';
import type { ReceiverBehavior } from './receivers.ts';

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
  receiver: ReceiverKind;
};

/** `wrong-tls`: until the chain fixes the URL, it starts with https, although the receiver does not use TLS. */
export type ReceiverKind = ReceiverBehavior | 'wrong-tls';

/** The size of a world. The rest is drawn. */
export type WorldShape = {
  chains: { receiver: ReceiverKind; stores: number }[];
  /** How many units of a scarce product a store has. */
  scarceStock: { min: number; max: number };
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

export const largeStock = 1_000_000;
/** The price of every promoted product. It never changes, so the discount shows how many units were discounted. */
export const promotedPrice = 10;

export function drawWorld(random: Random, { chains, scarceStock }: WorldShape): World {
  return {
    chains: chains.map((shape, index) =>
      drawChain(random.fork(`chain ${index}`), `chain-${index + 1}`, shape, scarceStock),
    ),
  };
}

function drawChain(
  random: Random,
  tag: string,
  { receiver, stores }: WorldShape['chains'][number],
  scarceStock: WorldShape['scarceStock'],
): ChainPlan {
  return {
    tag,
    receiver,
    profile: random.chance(0.3) ? 'tolerant' : 'strict',
    stores: Array.from({ length: stores }, (_, index) => ({
      name: `${tag} store ${index + 1}`,
      transport: random.chance(0.3) ? 'VENDOR_DELIVERY' : 'LOGISTICS_DELIVERY',
    })),
    products: [
      ...drawProducts(random, 'plenty', 8, scarceStock),
      ...drawProducts(random, 'scarce', 2, scarceStock),
      ...drawProducts(random, 'weighed', 2, scarceStock),
      ...drawProducts(random, 'promoted', 3, scarceStock),
      ...drawProducts(random, 'restocked', 20, scarceStock),
    ],
    promotions: drawPromotions(random, tag),
  };
}

function drawProducts(
  random: Random,
  kind: ProductKind,
  count: number,
  { min, max }: WorldShape['scarceStock'],
): ProductPlan[] {
  return Array.from({ length: count }, (_, index) => ({
    sku: `${kind.toUpperCase()}-${index + 1}`,
    kind,
    price: kind === 'promoted' ? promotedPrice : random.integer(100, 2000) / 100,
    quantity: kind === 'scarce' ? random.integer(min, max) : largeStock,
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
