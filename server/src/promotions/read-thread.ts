import { serveBodies } from '../kernel/bodies/body-thread.ts';
import { promotionBodies } from './read-body.ts';

serveBodies(promotionBodies);
