import type { Random } from '../cli/src/simulate/world/random.ts';
import { recoverableBehaviors } from '../cli/src/simulate/world/receivers.ts';
import type { ReceiverKind, WorldShape } from '../cli/src/simulate/world/world.ts';

const receiverKinds = [...recoverableBehaviors, 'gone', 'wrong-tls'] as const satisfies ReceiverKind[];
const chainCount = 6;

/** Each chain's receiver behaves differently, so that one simulation covers half of the behaviors. */
export function drawShape(random: Random): WorldShape {
  const chains = random
    .sample(receiverKinds, chainCount)
    .map((receiver) => ({ receiver, stores: random.integer(1, 2) }));
  return { chains, scarceStock: { min: 10, max: 60 } };
}
