import { serveBodies } from '../kernel/bodies/thread.ts';
import { promotionBodies } from './read-body.ts';

serveBodies(promotionBodies);
