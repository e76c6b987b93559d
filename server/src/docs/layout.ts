import { assetUrl } from './assets.ts';
import { escapeHtml } from './escape.ts';
import type { Document, Heading } from './markdown.ts';
import { type ApiPage, groups, markdownPath, type Page, pages } from './pages.ts';

/** The HTML for a guide or a generated reference page. */
export function documentPage({ page, html, sections }: Document): string {
  const list = contents(sections);
  const kind = page.path === '/docs' ? 'prose home' : list === '' ? 'prose full' : 'prose';
  const content = `<main id="content" class="${kind}">${html}${pageFooter(page)}</main>${list}`;
  return frame({ title: page.title, path: page.path, content });
}

/**
 * The reference page for an API. A script renders the OpenAPI document, as the main element of the page, into an empty
 * element below our header.
 */
export function apiPage({ path, title, api }: ApiPage): string {
  const content = `<section id="content" aria-labelledby="title"><h1 id="title" class="visually-hidden">${title}</h1><p id="prefilled" role="status"></p></section><div id="api" data-api="${api}"></div><p class="loading">Loading the reference…</p>`;
  return frame({ title, path, content, scripts: ['scalar.js', 'reference.js'], kind: 'wide' });
}

export function notFoundPage(): string {
  const content = `<main id="content" class="prose"><h1>Page not found</h1><p>The documentation has no page at this URL. Use the navigation or the search, or go to the <a href="/docs">overview</a>.</p></main>`;
  return frame({ title: 'Page not found', content });
}

type Frame = { title: string; path?: string; content: string; scripts?: string[]; kind?: 'wide' };

function frame({ title, path, content, scripts = [], kind }: Frame): string {
  const script = (name: string) => `<script defer src="${assetUrl(name)}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Aisle docs</title>
<link rel="icon" href="/docs/assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl('docs.css')}">
<script src="${assetUrl('theme.js')}"></script>
${['docs.js', ...scripts].map(script).join('\n')}
</head>
<body${kind ? ` class="${kind}"` : ''}>
<a class="skip-link" href="#content">Skip to content</a>
${header}
<div class="frame">
${navigation(path)}
${content}
</div>
${searchDialog}
</body>
</html>
`;
}

const header = `<header>
<button type="button" class="icon-button" id="menu" aria-label="Navigation" aria-expanded="false" aria-controls="navigation"><svg viewBox="0 0 24 24" aria-hidden="true"><path class="bars" d="M4 7h16M4 12h16M4 17h16"/><path class="close" d="M6 6l12 12M18 6 6 18"/></svg></button>
<a class="brand" href="/docs" aria-label="Aisle docs"><img src="/docs/assets/favicon.svg" width="26" height="26" alt=""><span>Aisle</span> <small>Docs</small></a>
<button type="button" id="search-button" aria-label="Search"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.500" cy="10.500" r="6.500"/><path d="m15.500 15.500 5 5"/></svg><span>Search</span><kbd aria-hidden="true">/</kbd></button>
<a class="portal-link" href="/portal">Portal</a>
<button type="button" class="icon-button" id="scheme" aria-label="Switch between light and dark mode"><svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600l1.400 1.400M17 17l1.400 1.400M5.600 18.400l1.400-1.400M17 7l1.400-1.400"/></svg><svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z"/></svg></button>
</header>`;

const searchDialog = `<dialog id="search" aria-label="Search the documentation">
<form method="dialog" role="search"><input type="search" id="query" aria-label="Search" placeholder="Search guides, routes and error codes" autocomplete="off" spellcheck="false"><button class="icon-button">Close</button></form>
<p id="search-status" role="status"></p>
<ol id="search-results"></ol>
</dialog>`;

function navigation(current: string | undefined): string {
  const link = ({ path, title }: Page) =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${title}</a></li>`;
  const lists = groups.map(({ title, pages }) => `<h2>${title}</h2><ul>${pages.map(link).join('')}</ul>`);
  return `<nav id="navigation" aria-label="Documentation">${lists.join('')}</nav>`;
}

/** The table of contents, or an empty string if the page is too short for one. */
function contents(sections: Heading[]): string {
  const entries = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (entries.length < 2) return '';
  const list = entries.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="page-contents" aria-label="On this page"><h2>On this page</h2><ul>${list.join('')}</ul></nav>`;
}

function pageFooter(page: Document['page']): string {
  const index = pages.findIndex(({ path }) => path === page.path);
  const link = (other: Page | undefined, label: string) =>
    other ? `<a href="${other.path}"><small>${label}</small> ${other.title}</a>` : '<span></span>';
  return `<footer><p><a href="${markdownPath(page)}">View as Markdown</a></p><div class="steps">${link(pages[index - 1], 'Previous')}${link(pages[index + 1], 'Next')}</div></footer>`;
}
