import { serveBodies } from '../kernel/bodies/thread.ts';
import { catalogBodies } from './read-body.ts';

serveBodies(catalogBodies);
