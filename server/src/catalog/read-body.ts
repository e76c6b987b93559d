import { createBodyReader } from '../kernel/bodies/reader.ts';
import { type CreationOptions, type CreationPlan, readCreation } from './read-creation.ts';
import { readUpdate, type UpdatePlan } from './read-update.ts';

export type CatalogBody =
  | { kind: 'update'; bytes: Uint8Array; options: { maxItems: number; single: boolean } }
  | { kind: 'creation'; bytes: Uint8Array; options: CreationOptions };

/** Reads bodies of catalog requests: small ones here and now, large ones in a thread. */
export type CatalogReader = {
  update(bytes: Uint8Array, options: { maxItems: number; single: boolean }): Promise<UpdatePlan>;
  creation(bytes: Uint8Array, options: CreationOptions): Promise<CreationPlan>;
  close(): Promise<void>;
};

export function createCatalogReader(): CatalogReader {
  const reader = createBodyReader<CatalogBody>(new URL('./read-thread.ts', import.meta.url), readCatalogBody);
  return {
    update: (bytes, options) => reader.read({ kind: 'update', bytes, options }),
    creation: (bytes, options) => reader.read({ kind: 'creation', bytes, options }),
    close: reader.close,
  };
}

export function readCatalogBody(job: CatalogBody): UpdatePlan | CreationPlan {
  return job.kind === 'update' ? readUpdate(job.bytes, job.options) : readCreation(job.bytes, job.options);
}
