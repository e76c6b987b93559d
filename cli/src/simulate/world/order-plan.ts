import type { Random } from './random.ts';
import type { ChainPlan, ProductPlan, World } from './world.ts';

/** Everything that will be attempted with one order. */
export type OrderPlan = {
  chain: ChainPlan;
  store: number;
  lines: { sku: string; quantity?: number; weight?: number }[];
  /** The customer collects the order at the store. */
  isPickup: boolean;
  picking: 'as-ordered' | 'partial' | 'replace' | 'add' | 'reject';
  /** The picker first adds a product that does not exist, and corrects that after the rejection. */
  isMistaken: boolean;
  /** SKUs for replacements and additions. They are not among the ordered ones. */
  others: string[];
  /** When the customer cancels. `during`: at the same moment as the store fulfils the order. */
  cancelled: 'never' | 'early' | 'during' | 'late';
  /** How many of the three steps picking, pickup and delivery happen. */
  steps: number;
  pausesMs: number[];
};

/** How a write is sent. */
export type SendPlan = {
  /** Without a key, a write is sent only once. */
  hasKey: boolean;
  /** The number of attempts after which the client gives up on a write without a response. */
  tries: number;
  /** Whether the write is repeated after it was acknowledged. */
  isRepeated: boolean;
};

export function drawOrder(random: Random, world: World): OrderPlan {
  const chain = random.pick(world.chains);
  const store = random.integer(0, chain.stores.length - 1);
  const sold = chain.products.filter(({ kind }) => kind !== 'restocked');
  const ordered = random.sample(sold, random.integer(1, 4));
  const others = chain.products.filter((product) => product.kind === 'plenty' && !ordered.includes(product));
  const picking = random.next();
  return {
    chain,
    store,
    lines: ordered.map((product) => drawLine(random, product)),
    isPickup: chain.stores[store]?.transport === 'LOGISTICS_DELIVERY' && random.chance(0.2),
    picking:
      picking < 0.4
        ? 'as-ordered'
        : picking < 0.6
          ? 'partial'
          : picking < 0.75
            ? 'replace'
            : picking < 0.9
              ? 'add'
              : 'reject',
    isMistaken: random.chance(0.05),
    others: random.sample(others, 2).map(({ sku }) => sku),
    cancelled: random.chance(0.75) ? 'never' : random.pick(['early', 'during', 'during', 'late'] as const),
    steps: random.integer(0, 9) < 7 ? 3 : random.integer(0, 2),
    pausesMs: Array.from({ length: 4 }, () => random.integer(0, 60)),
  };
}

export function drawSend(random: Random): SendPlan {
  const hasKey = random.chance(0.85);
  const isPatient = random.chance(0.8);
  return {
    hasKey,
    tries: !hasKey ? 1 : isPatient ? 200 : random.integer(1, 3),
    isRepeated: hasKey && random.chance(0.1),
  };
}

function drawLine(random: Random, { sku, kind }: ProductPlan): OrderPlan['lines'][number] {
  return kind === 'weighed' ? { sku, weight: random.integer(1, 40) / 10 } : { sku, quantity: random.integer(1, 6) };
}
