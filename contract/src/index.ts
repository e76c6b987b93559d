import { auditRoutes } from './audit.ts';
import { catalogRoutes } from './catalog.ts';
import { certificationRoutes } from './certification.ts';
import { chainCatalogRoutes } from './chain-catalog.ts';
import { consoleAccountRoutes } from './console-account.ts';
import { consoleUserRoutes } from './console-users.ts';
import { credentialRoutes } from './credentials.ts';
import { feedRoutes } from './feed.ts';
import { fileRoutes } from './files.ts';
import { historyRoutes } from './history.ts';
import { identityRoutes } from './identity.ts';
import { invitationRoutes } from './invitations.ts';
import { jobRoutes } from './jobs.ts';
import { onboardingRoutes } from './onboarding.ts';
import { operationsRoutes } from './operations.ts';
import { orderRoutes } from './orders.ts';
import { outletRoutes } from './outlets.ts';
import { pickingRoutes } from './picking.ts';
import { platformRoutes } from './platform.ts';
import { platformOrderRoutes } from './platform-orders.ts';
import { platformFeedRoutes } from './platform-feed.ts';
import { platformWebhookRoutes } from './platform-webhooks.ts';
import { previewRoutes } from './previews.ts';
import { promotionRoutes } from './promotions.ts';
import { quoteRoutes } from './quotes.ts';
import { replacementRoutes } from './replacements.ts';
import { requestRoutes } from './requests.ts';
import { sandboxRoutes } from './sandbox.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './sessions.ts';
import { sftpRoutes } from './sftp.ts';
import { statisticsRoutes } from './statistics.ts';
import { storefrontRoutes } from './storefront.ts';
import { storefrontOrderRoutes } from './storefront-orders.ts';
import { storeStatisticsRoutes } from './store-statistics.ts';
import { supportRoutes } from './support.ts';
import { userRoutes } from './users.ts';
import { webhookRoutes } from './webhooks.ts';
import { whoamiRoutes } from './whoami.ts';

export const routes = {
  ...identityRoutes,
  ...credentialRoutes,
  ...whoamiRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...outletRoutes,
  ...catalogRoutes,
  ...chainCatalogRoutes,
  ...historyRoutes,
  ...jobRoutes,
  ...previewRoutes,
  ...promotionRoutes,
  ...fileRoutes,
  ...orderRoutes,
  ...pickingRoutes,
  ...feedRoutes,
  ...webhookRoutes,
  ...requestRoutes,
  ...sandboxRoutes,
  ...certificationRoutes,
  ...sftpRoutes,
  ...statisticsRoutes,
  ...storeStatisticsRoutes,
  ...platformRoutes,
  ...platformOrderRoutes,
  ...storefrontOrderRoutes,
  ...storefrontRoutes,
  ...quoteRoutes,
  ...consoleAccountRoutes,
  ...consoleUserRoutes,
  ...auditRoutes,
  ...operationsRoutes,
  ...supportRoutes,
  ...onboardingRoutes,
  ...platformFeedRoutes,
  ...replacementRoutes,
  ...platformWebhookRoutes,
};
