import { createStore, useStore } from './store.ts';
import { clearToast } from './toast.tsx';

/** The two views of the app, each with its own URL, so that the back button and links work. */
export type View = { name: 'queue' } | { name: 'order'; orderId: string };

export function pathOf(view: View): string {
  return view.name === 'queue' ? '/pick' : `/pick/orders/${encodeURIComponent(view.orderId)}`;
}

export function viewOf(path: string): View {
  const [, orderId] = /^\/pick\/orders\/([^/]+)\/?$/.exec(path) ?? [];
  return orderId === undefined ? { name: 'queue' } : { name: 'order', orderId: decodeURIComponent(orderId) };
}

export function navigate(view: View): void {
  history.pushState(null, '', pathOf(view));
  path.set(location.pathname);
  window.scrollTo(0, 0);
  clearToast();
}

export function useView(): View {
  return viewOf(useStore(path));
}

const path = createStore(location.pathname);
window.addEventListener('popstate', () => path.set(location.pathname));
