import type { BodyShape } from '../kernel/bodies/check-shape.ts';
import type { BodyReads } from '../kernel/bodies/read-job.ts';
import type { BodyReader } from '../kernel/bodies/reader.ts';
import { type CreationOptions, type CreationPlan, readCreation } from './read-creation.ts';
import { readUpdate, tooManyProducts, type UpdateOptions, type UpdatePlan } from './read-update.ts';

type CatalogBodies = {
  update: { options: UpdateOptions; plan: UpdatePlan };
  creation: { options: CreationOptions; plan: CreationPlan };
};

export type CatalogReader = BodyReader<CatalogBodies>;

/** The parsers for catalog requests. Large bodies are parsed in a separate thread (`kernel/bodies/body-thread.ts`). */
export const bodies: BodyReads<CatalogBodies> = {
  update: { read: readUpdate, limits },
  creation: { read: readCreation, limits },
};

/** Products have about 20 fields, and a name for each locale. Unknown fields are allowed. */
const maxNames = 10_000;

function limits({ maxItems }: { maxItems: number }): BodyShape {
  const list = { path: ['products'], max: maxItems, tooLong: () => tooManyProducts(maxItems) };
  return { maxParts: Math.max(1_000_000, 20 * maxItems), maxNames, list };
}
