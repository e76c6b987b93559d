import type { Random } from './world/random.ts';
import type { ReceiverKind, WorldShape } from './world/world.ts';

const storesPerChain = 5;
/** None of these disables a webhook or takes longer than a few seconds. */
const failingKinds = ['down', 'error', 'busy', 'reset', 'slow', 'late', 'truncated'] as const satisfies ReceiverKind[];

/** Chains of five stores. The receivers of half of them work, and the others fail in different ways. */
export function drawShape(random: Random, stores: number, orders: number): WorldShape {
  const count = Math.ceil(stores / storesPerChain);
  const failing = random.sample(failingKinds, Math.floor(count / 2));
  const chains = Array.from({ length: count }, (_, index) => ({
    // Every second chain, so that chains with few stores are not all of one kind.
    receiver: index % 2 === 1 ? (failing[(index - 1) / 2] ?? random.pick(failingKinds)) : 'healthy',
    stores: Math.floor(stores / count) + (index < stores % count ? 1 : 0),
  })) satisfies WorldShape['chains'];
  // An order has one of two scarce products with a chance of a sixth each, and about three units of it.
  const demand = Math.ceil((orders / stores) * 0.5);
  return { chains, scarceStock: { min: 10 + Math.ceil(demand / 2), max: 10 + demand * 2 } };
}
