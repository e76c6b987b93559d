import { catalogRoutes } from './catalog.ts';
import { feedRoutes } from './feed.ts';
import { identityRoutes } from './identity.ts';
import { platformRoutes } from './platform.ts';
import { webhookRoutes } from './webhooks.ts';

export const routes = { ...identityRoutes, ...catalogRoutes, ...feedRoutes, ...webhookRoutes, ...platformRoutes };
