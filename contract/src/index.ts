import { catalogRoutes } from './catalog.ts';
import { identityRoutes } from './identity.ts';
import { orderRoutes } from './orders.ts';
import { outletRoutes } from './outlets.ts';
import { platformRoutes } from './platform.ts';
import { platformOrderRoutes } from './platform-orders.ts';
import { promotionRoutes } from './promotions.ts';

export const routes = {
  ...identityRoutes,
  ...outletRoutes,
  ...catalogRoutes,
  ...promotionRoutes,
  ...orderRoutes,
  ...platformRoutes,
  ...platformOrderRoutes,
};
