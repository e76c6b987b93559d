/**
 * Lets the app open without a network. The files of the app are stored when this version is installed; `vite.config.ts`
 * replaces the placeholder with their paths, so that every build is a new version. Pages come from the network if the
 * server responds within a few seconds. Requests to the API are not touched: the app itself keeps orders and marks.
 */
declare const __PRECACHED__: string[];

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type FetchLike = Extendable & { request: Request; respondWith(response: Promise<Response>): void };
type Clicked = Extendable & { notification: Notification };
type Tab = { url: string; focus(): Promise<unknown>; navigate(url: string): Promise<unknown> };
type Scope = {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void>; matchAll(): Promise<Tab[]>; openWindow(url: string): Promise<unknown> };
};

const scope = globalThis as unknown as Scope;
const files = __PRECACHED__;
const cacheName = `aisle-pick ${files.join(' ')}`;
const page = '/pick';
const patienceMs = 4000;

addEventListener('install', (event) => {
  const store = async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll([page, ...files]);
    await scope.skipWaiting();
  };
  (event as Extendable).waitUntil(store());
});

addEventListener('activate', (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('aisle-pick ') && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  (event as Extendable).waitUntil(clean());
});

addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchLike;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') respondWith.call(event, loadPage(request));
  else if (pathname.startsWith('/portal/') || pathname.startsWith('/pick/')) respondWith.call(event, loadFile(request));
});

addEventListener('notificationclick', (event) => {
  const { notification } = event as Clicked;
  notification.close();
  const open = async () => {
    const path = String(notification.data ?? page);
    const [tab] = await scope.clients.matchAll();
    if (!tab) return scope.clients.openWindow(path);
    await tab.focus();
    return tab.navigate(path);
  };
  (event as Extendable).waitUntil(open());
});

async function loadPage(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const response = await fetch(request, { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
  // While the server restarts, a proxy in front of it responds with an error page of its own.
  if (response && response.status < 500) return response;
  return (await cache.match(page)) ?? response ?? Response.error();
}

/** Files with a content hash never change. The camera's decoder is large, so it is stored when it is first used. */
async function loadFile(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const stored = await cache.match(request);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok && new URL(request.url).pathname.startsWith('/portal/assets/'))
    await cache.put(request, response.clone());
  return response;
}
