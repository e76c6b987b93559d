import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router';
import { Missing, PageError, PageLoading } from '../shell/fallbacks.tsx';
import { Account } from './account.tsx';
import { Audit } from './audit.tsx';
import { Chain } from './chain.tsx';
import { Chains } from './chains.tsx';
import { Frame } from './frame.tsx';
import { ClosedStores, DeadTasks, FailingEndpoints, OpenOrders, RunningJobs } from './lists.tsx';
import { Onboard } from './onboard.tsx';
import { Order } from './order.tsx';
import { Overview } from './overview.tsx';
import { Support } from './support.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const pages: [path: string, component: RouteComponent][] = [
  ['/', Overview],
  ['/orders', OpenOrders],
  ['/orders/$orderId', Order],
  ['/closed-stores', ClosedStores],
  ['/endpoints', FailingEndpoints],
  ['/jobs', RunningJobs],
  ['/tasks', DeadTasks],
  ['/chains', Chains],
  ['/chains/$chainId', Chain],
  ['/onboard', Onboard],
  ['/support', Support],
  ['/webhooks', Webhooks],
  ['/audit', Audit],
  ['/users', Users],
  ['/account', Account],
  ['$', Missing],
];

/** All pages of the console, in one bundle. */
export function createConsoleRouter() {
  const root = createRootRoute({ component: Frame });
  const routes = pages.map(([path, component]) => createRoute({ getParentRoute: () => root, path, component }));
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });
}
