import { createRootRoute, createRoute, createRouter, redirect, retainSearchParams } from '@tanstack/react-router';
import { parseCatalogSearch } from './catalog/search.ts';
import { parseFilePageSearch, parseFileSearch, parseUploadSearch } from './files/search.ts';
import { parseOrderSearch } from './orders/search.ts';
import { parseRequestSearch } from './requests/search.ts';
import { lazyRouteComponent } from './shell/lazy-page.ts';
import { Missing, PageError, PageLoading } from './shell/fallbacks.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';
import { parseDeliverySearch } from './deliveries/search.ts';
import { parseSftpSearch } from './sftp/search.ts';
import { parseNumbersSearch } from './statistics/search.ts';

/** All portal routes. The code for a page is loaded when the page is first opened. */
const root = createRootRoute({ component: Root });

/** The `store` parameter is the selected store. It is kept when the user navigates and can be shared in a link. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  validateSearch: (search: Record<string, unknown>): { store?: string } =>
    typeof search['store'] === 'string' || typeof search['store'] === 'number'
      ? { store: String(search['store']) }
      : {},
  search: { middlewares: [retainSearchParams(['store'])] },
});

/** Invited users open this page without a session. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./identity/invitation-page.tsx'), 'InvitationPage'),
});

const at = () => signedIn;

const home = createRoute({
  getParentRoute: at,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const catalog = createRoute({
  getParentRoute: at,
  path: '/catalog',
  validateSearch: parseCatalogSearch,
  component: lazyRouteComponent(() => import('./catalog/catalog-page.tsx'), 'CatalogPage'),
});

const product = createRoute({
  getParentRoute: at,
  path: '/products/$sku',
  component: lazyRouteComponent(() => import('./catalog/product-page.tsx'), 'ProductPage'),
});

const files = createRoute({
  getParentRoute: at,
  path: '/files',
  validateSearch: parseFileSearch,
  component: lazyRouteComponent(() => import('./files/files-page.tsx'), 'FilesPage'),
});

const file = createRoute({
  getParentRoute: at,
  path: '/files/$fileId',
  validateSearch: parseFilePageSearch,
  component: lazyRouteComponent(() => import('./files/file-page.tsx'), 'FilePage'),
});

const upload = createRoute({
  getParentRoute: at,
  path: '/files/upload',
  validateSearch: parseUploadSearch,
  component: lazyRouteComponent(() => import('./files/upload-page.tsx'), 'UploadPage'),
});

const jobs = createRoute({
  getParentRoute: at,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs-page.tsx'), 'JobsPage'),
});

const job = createRoute({
  getParentRoute: at,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./jobs/job-page.tsx'), 'JobPage'),
});

const tokens = createRoute({
  getParentRoute: at,
  path: '/integration/tokens',
  component: lazyRouteComponent(() => import('./identity/tokens-page.tsx'), 'TokensPage'),
});

const clients = createRoute({
  getParentRoute: at,
  path: '/integration/clients',
  component: lazyRouteComponent(() => import('./identity/clients-page.tsx'), 'ClientsPage'),
});

const sftp = createRoute({
  getParentRoute: at,
  path: '/integration/sftp',
  validateSearch: parseSftpSearch,
  component: lazyRouteComponent(() => import('./sftp/sftp-page.tsx'), 'SftpPage'),
});

const profile = createRoute({
  getParentRoute: at,
  path: '/integration/profile',
  component: lazyRouteComponent(() => import('./identity/profile-page.tsx'), 'ProfilePage'),
});

const users = createRoute({
  getParentRoute: at,
  path: '/settings/users',
  component: lazyRouteComponent(() => import('./identity/users-page.tsx'), 'UsersPage'),
});

const stores = createRoute({
  getParentRoute: at,
  path: '/settings/stores',
  component: lazyRouteComponent(() => import('./identity/stores-page.tsx'), 'StoresPage'),
});

const barcodes = createRoute({
  getParentRoute: at,
  path: '/settings/barcodes',
  component: lazyRouteComponent(() => import('./identity/barcodes-page.tsx'), 'BarcodesPage'),
});

const account = createRoute({
  getParentRoute: at,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./identity/account-page.tsx'), 'AccountPage'),
});

const orders = createRoute({
  getParentRoute: at,
  path: '/orders',
  validateSearch: parseOrderSearch,
  component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
});

const numbers = createRoute({
  getParentRoute: at,
  path: '/numbers',
  validateSearch: parseNumbersSearch,
  component: lazyRouteComponent(() => import('./statistics/numbers-page.tsx'), 'NumbersPage'),
});

const order = createRoute({
  getParentRoute: at,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
});

/** Orders are picked in the picking app, which has its own page. */
const pick = createRoute({
  getParentRoute: at,
  path: '/orders/$orderId/pick',
  beforeLoad: ({ params }) => {
    throw redirect({ href: `/pick/orders/${encodeURIComponent(params.orderId)}`, reloadDocument: true });
  },
});

const testOrder = createRoute({
  getParentRoute: at,
  path: '/test-order',
  component: lazyRouteComponent(() => import('./sandbox/test-order-page.tsx'), 'TestOrderPage'),
});

const sandbox = createRoute({
  getParentRoute: at,
  path: '/sandbox',
  component: lazyRouteComponent(() => import('./sandbox/sandbox-page.tsx'), 'SandboxPage'),
});

const certification = createRoute({
  getParentRoute: at,
  path: '/certification',
  component: lazyRouteComponent(() => import('./certification/certification-page.tsx'), 'CertificationPage'),
});

const certificationReport = createRoute({
  getParentRoute: at,
  path: '/certification/$certificationId',
  component: lazyRouteComponent(() => import('./certification/report-page.tsx'), 'ReportPage'),
});

const webhooks = createRoute({
  getParentRoute: at,
  path: '/integration/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const deliveries = createRoute({
  getParentRoute: at,
  path: '/integration/deliveries',
  validateSearch: parseDeliverySearch,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const requests = createRoute({
  getParentRoute: at,
  path: '/integration/requests',
  validateSearch: parseRequestSearch,
  component: lazyRouteComponent(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
});

const promotions = createRoute({
  getParentRoute: at,
  path: '/promotions',
  component: lazyRouteComponent(() => import('./promotions/promotions-page.tsx'), 'PromotionsPage'),
});

const newPromotion = createRoute({
  getParentRoute: at,
  path: '/promotions/new',
  component: lazyRouteComponent(() => import('./promotions/new-promotion-page.tsx'), 'NewPromotionPage'),
});

const promotion = createRoute({
  getParentRoute: at,
  path: '/promotions/$promotionId',
  component: lazyRouteComponent(() => import('./promotions/promotion-page.tsx'), 'PromotionPage'),
});

const missing = createRoute({ getParentRoute: at, path: '$', component: Missing });

const tree = root.addChildren([
  invitation,
  signedIn.addChildren([
    home,
    orders,
    numbers,
    order,
    pick,
    catalog,
    product,
    files,
    file,
    upload,
    jobs,
    job,
    promotions,
    newPromotion,
    promotion,
    tokens,
    clients,
    sftp,
    profile,
    webhooks,
    deliveries,
    requests,
    testOrder,
    sandbox,
    certification,
    certificationReport,
    users,
    stores,
    barcodes,
    account,
    missing,
  ]),
]);

export function createPortalRouter() {
  return createRouter({
    routeTree: tree,
    basepath: '/portal',
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
