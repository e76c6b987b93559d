import { serveBodies } from '../kernel/bodies/body-thread.ts';
import { catalogBodies } from './read-body.ts';

serveBodies(catalogBodies);
