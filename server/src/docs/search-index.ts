import { routes } from '@aisle/contract/index';
import type { Route } from '@aisle/contract/route';
import { type Document, slug } from './markdown.ts';
import { apiPages } from './pages.ts';

/** An entry in the search index, which is searched in the browser. */
export type SearchEntry = { page: string; heading: string; text: string; url: string };

export function searchIndex(documents: Document[]): SearchEntry[] {
  return [...documents.flatMap(documentEntries), ...routeEntries()];
}

/** Leaves out the text of the route list, because every route has its own entry. */
function documentEntries({ page, sections }: Document): SearchEntry[] {
  return sections.map(({ id, text, depth, body }) => ({
    page: page.title,
    heading: text,
    text: page.rowIds === 'last' ? '' : body,
    url: depth === 1 ? page.path : `${page.path}#${id}`,
  }));
}

function routeEntries(): SearchEntry[] {
  return (Object.entries(routes) as [string, Route][]).map(([operation, route]) => {
    const page = apiPages.find(({ api }) => api === route.api);
    return {
      page: page?.title ?? '',
      heading: route.summary,
      text: `${route.method} ${route.path} ${operation}`,
      url: `${page?.path}#tag/${slug(route.tag)}/${operation}`,
    };
  });
}
