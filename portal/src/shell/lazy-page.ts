import { lazyRouteComponent as lazyComponent } from '@tanstack/react-router';
import { loadMessages } from '../messages/language.ts';

/** The router's function of this name, which also loads the texts of the pages. */
export function lazyRouteComponent<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  importPage: () => Promise<Module>,
  name: Name,
) {
  const load = async () => {
    const [page] = await Promise.all([importPage(), loadMessages('pages')]);
    return page;
  };
  return lazyComponent(load, name);
}
