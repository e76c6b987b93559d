import { serveBodies } from '../kernel/bodies/thread.ts';
import { type PromotionBody, readPromotionBody } from './read-body.ts';

// An entry for every SKU is an object and a list, and as many as fit into a body are sound.
serveBodies<PromotionBody>(readPromotionBody, () => 4_000_000);
