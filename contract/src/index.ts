import { catalogRoutes } from './catalog.ts';
import { identityRoutes } from './identity.ts';
import { platformRoutes } from './platform.ts';

export const routes = { ...identityRoutes, ...catalogRoutes, ...platformRoutes };
