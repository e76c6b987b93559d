import { serveBodies } from '../kernel/bodies/thread.ts';
import { type CatalogBody, readCatalogBody } from './read-body.ts';

serveBodies<CatalogBody>(readCatalogBody, ({ options }) => Math.max(1_000_000, 20 * options.maxItems));
