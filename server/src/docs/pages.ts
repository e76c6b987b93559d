import { readFileSync } from 'node:fs';

/** A documentation page: a Markdown file in the repository, or the reference for one of the APIs. */
export type Page = MarkdownPage | ApiPage;
export type MarkdownPage = {
  path: string;
  title: string;
  summary: string;
  /** The path of the file, relative to the repository root. */
  source: string;
  /** If set, each table row gets an id for links: the code in its first or last cell. */
  rowIds?: 'first' | 'last';
};
export type ApiPage = { path: string; title: string; summary: string; api: 'partner' | 'platform' };

/** The navigation: every page, in reading order. */
export const groups: { title: string; pages: Page[] }[] = [
  {
    title: 'Guides',
    pages: [
      guide('', 'Overview', 'Where to start', 'README'),
      guide('quick-start', 'Quick start', 'From a token to a fulfilled order, in any language'),
      guide('partners', 'Partner guide', 'Tokens, authentication, conventions, errors, idempotency and rate limits'),
      guide('orders', 'Orders', 'Picking, fulfilling, cancelling, reading and testing orders'),
      guide(
        'picking',
        'Picking together',
        'For picking devices: the queue, claims, shared marks, offline use and barcodes',
      ),
      guide('picking-app', 'Picking app', 'Picking orders on a phone or tablet, alone or together, also offline'),
      guide('events', 'Webhooks and events', 'Receiving events, verifying signatures, resending, and the event feed'),
      guide('certification', 'Certification', 'Testing your receiver and your device with scripted orders'),
      guide('catalog', 'Catalog', 'Creating products, updating prices and stock, jobs, exports and search'),
      guide('promotions', 'Promotions', 'Creating, changing and cancelling promotions'),
      guide('files', 'Files', 'Upload CSV files instead of sending requests'),
      guide('sftp', 'SFTP', 'Uploading files by SFTP, and reading exports and results'),
      guide(
        'cli',
        'Command line',
        'Receiving events on your computer, triggering and picking orders, pushing catalogs',
      ),
      {
        path: '/docs/sdk',
        title: 'SDK',
        summary: 'The API for Node, Bun, Deno and browsers, with retries, jobs, events and webhooks',
        source: 'sdk/README.md',
      },
      {
        path: '/docs/sdk-python',
        title: 'SDK for Python',
        summary: 'The API for Python, with retries, jobs, events and webhooks',
        source: 'sdk-python/README.md',
      },
      guide('storefront', 'Storefront', 'The platform API for the apps in which customers shop'),
      guide('operators', 'Operator guide', 'Deploying, configuring, monitoring and upgrading Aisle'),
      guide('scaling', 'Scaling', 'Processes, poolers, and a PostgreSQL that is distributed over several nodes'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        path: '/docs/reference',
        title: 'Partner API',
        summary: 'Every request and response in the partner API',
        api: 'partner',
      },
      {
        path: '/docs/reference/platform',
        title: 'Platform API',
        summary: 'Every request and response in the platform API',
        api: 'platform',
      },
      { ...reference('routes', 'Routes', 'All routes in both APIs on one page'), rowIds: 'last' },
      { ...reference('errors', 'Errors', 'All error codes and what to do about them'), path: '/docs/errors' },
      reference('events', 'Events', 'All event types and their bodies'),
      reference('order-states', 'Order states', 'All order statuses and the changes between them'),
      {
        path: '/docs/reference/commands',
        title: 'Commands',
        summary: 'Every command of the command line, with its options and examples',
        source: 'docs/reference/commands.md',
      },
      { path: '/docs/changelog', title: 'Changelog', summary: 'What changed in each version', source: 'CHANGELOG.md' },
    ],
  },
];

export const pages: Page[] = groups.flatMap((group) => group.pages);
export const markdownPages: MarkdownPage[] = pages.filter((page) => 'source' in page);

export const apiPages: ApiPage[] = pages.filter((page) => 'api' in page);

/** Other files that the pages link to, relative to the repository root. */
export const files = [
  'docs/guides/receiver.mjs',
  'docs/guides/receiver.py',
  'docs/guides/verify/verify.mjs',
  'docs/guides/verify/verify.py',
  'docs/guides/verify/Verify.java',
  'docs/guides/verify/Verify.cs',
  'docs/guides/verify/verify.php',
  'docs/guides/verify/verify.go',
  'docs/pictures/overview.svg',
];

/** The URL of a file in the repository, if it is part of the documentation. */
export function findPath(source: string): string | undefined {
  const page = markdownPages.find((one) => one.source === source);
  return page?.path ?? (files.includes(source) ? `/docs/files/${source.split('/').at(-1)}` : undefined);
}

/** The URL of the Markdown version of a page. */
export function markdownPath({ path }: MarkdownPage): string {
  return path === '/docs' ? '/docs/index.md' : `${path}.md`;
}

export function readSource(source: string): Buffer {
  return readFileSync(new URL(`../../../${source}`, import.meta.url));
}

function guide(name: string, title: string, summary: string, file = name): MarkdownPage {
  return { path: name === '' ? '/docs' : `/docs/${name}`, title, summary, source: `docs/guides/${file}.md` };
}

function reference(name: string, title: string, summary: string): MarkdownPage {
  return { path: `/docs/reference/${name}`, title, summary, source: `docs/reference/${name}.md`, rowIds: 'first' };
}
