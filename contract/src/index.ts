import { catalogRoutes } from './catalog.ts';
import { identityRoutes } from './identity.ts';
import { platformRoutes } from './platform.ts';
import { promotionRoutes } from './promotions.ts';

export const routes = { ...identityRoutes, ...catalogRoutes, ...promotionRoutes, ...platformRoutes };
