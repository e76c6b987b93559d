import { routes } from '@aisle/contract/index';
import { type Route, scopes, scopesToSee } from '@aisle/contract/route';

/**
 * Whether a caller with these scopes can see the bodies and the query string of a recorded request. They can contain
 * everything that the called route returns, such as the names of customers, so its scopes are required. If the route is
 * unknown, all scopes are.
 */
export function canSeeData(own: readonly string[], request: { method: string; path: string }): boolean {
  const called = request.method === 'HEAD' ? 'GET' : request.method;
  // A path can match two routes, one of them with a fixed segment instead of a parameter.
  const found = patterns.filter(({ method, pattern }) => method === called && pattern.test(request.path));
  const required = found.length === 0 ? scopes : found.flatMap(({ toSee }) => toSee);
  return required.every((scope) => own.includes(scope));
}

const patterns = Object.values<Route>(routes).map((route) => ({
  method: route.method as string,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  toSee: scopesToSee(route),
}));
