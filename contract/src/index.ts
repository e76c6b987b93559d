import { catalogRoutes } from './catalog.ts';
import { identityRoutes } from './identity.ts';
import { platformRoutes } from './platform.ts';
import { userRoutes } from './users.ts';

export const routes = { ...identityRoutes, ...userRoutes, ...catalogRoutes, ...platformRoutes };
