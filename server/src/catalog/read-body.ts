import type { BodyReader, BodyReads } from '../kernel/bodies/reader.ts';
import { type CreationOptions, type CreationPlan, readCreation } from './read-creation.ts';
import { readUpdate, type UpdateOptions, type UpdatePlan } from './read-update.ts';

type CatalogBodies = {
  update: { options: UpdateOptions; plan: UpdatePlan };
  creation: { options: CreationOptions; plan: CreationPlan };
};

export type CatalogReader = BodyReader<CatalogBodies>;

/** The parsers for catalog requests. Large bodies are parsed in a separate thread (`read-thread.ts`). */
export const catalogBodies: BodyReads<CatalogBodies> = {
  update: { read: readUpdate, maxParts },
  creation: { read: readCreation, maxParts },
};

function maxParts({ maxItems }: { maxItems: number }): number {
  return Math.max(1_000_000, 20 * maxItems);
}
