import { posix } from 'node:path';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { highlight } from './highlight.ts';
import { findPath, type MarkdownPage, markdownPages, markdownPath, readSource } from './pages.ts';

export type Heading = { id: string; text: string; depth: number };
/** A heading and the text below it, for the search index. */
export type Section = Heading & { body: string };
export type Document = { page: MarkdownPage; markdown: string; html: string; title: string; sections: Section[] };

/**
 * Renders a Markdown file as HTML. Headings and table rows get ids, and links between files become links between pages.
 */
export function renderPage(page: MarkdownPage): Document {
  const markdown = readSource(page.source).toString();
  const ids = new Map<Token, string>();
  const marked = new Marked({ renderer: createRenderer(page, ids) });
  const tokens = marked.lexer(markdown);
  const takeId = uniqueIds();
  for (const token of tokens) if (token.type === 'heading') ids.set(token, takeId(slug(plain(token))));
  for (const token of tokens) if (token.type === 'table') assignRowIds(page, token as Tokens.Table, ids, takeId);
  const toHtml = (some: Token[]) => marked.parser(some);
  const sections = listSections(tokens, ids, toHtml);
  return {
    page,
    markdown: absoluteLinks(page, markdown),
    html: toHtml(tokens),
    title: sections[0]?.text ?? '',
    sections,
  };
}

/** The URL that a link on a page points to, or undefined if the file is not part of the documentation. */
export function resolveLink(
  page: MarkdownPage,
  href: string,
  pathOf: (target: MarkdownPage) => string,
): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const source = posix.join(posix.dirname(page.source), file);
  const target = markdownPages.find((one) => one.source === source);
  const path = target ? pathOf(target) : findPath(source);
  return path && anchor ? `${path}#${anchor}` : path;
}

/** Creates the same anchors for headings as GitHub, so that links work there too. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function createRenderer(page: MarkdownPage, ids: Map<Token, string>): RendererObject {
  return {
    heading(token) {
      const id = ids.get(token) ?? '';
      const text = this.parser.parseInline(token.tokens);
      return token.depth === 1
        ? `<h1 id="${id}">${text}</h1>\n`
        : `<h${token.depth} id="${id}"><a href="#${id}">${text}</a></h${token.depth}>\n`;
    },
    code: ({ text, lang = '' }) => codeBlock(text, lang),
    codespan: ({ text }) => {
      const isPhrase = text.split(' ').length > 4;
      return `<code${isPhrase ? ' class="phrase"' : ''}>${breakable(escapeHtml(text))}</code>`;
    },
    table(token) {
      const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
      return table(token, inline, ids);
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = resolveLink(page, href, ({ path }) => path);
      return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
    },
    image: ({ href, text }) => {
      const target = resolveLink(page, href, ({ path }) => path);
      return target === undefined ? '' : `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}">`;
    },
  };
}

/** Mermaid diagrams are shown as collapsed source, because the tables contain the same information. */
function codeBlock(text: string, language: string): string {
  const label = labels[language] ?? 'Output';
  const code = `<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text, language)}</code></pre>`;
  if (language === 'diagram') return `<div class="code">${code}</div>\n`;
  if (language === 'mermaid') return `<details><summary>Diagram in Mermaid syntax</summary>${code}</details>\n`;
  return `<div class="code"><p class="code-head">${label}</p>${code}</div>\n`;
}

const labels: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  csv: 'CSV',
  sql: 'SQL',
  python: 'Python',
  js: 'JavaScript',
  java: 'Java',
  csharp: 'C#',
  php: 'PHP',
  go: 'Go',
  ts: 'TypeScript',
  http: 'HTTP',
  ini: 'Configuration',
  diagram: 'Diagram',
  mermaid: 'Mermaid',
};

/** Lets a path wrap after its slashes, so that the names in it stay whole. */
function breakable(html: string): string {
  return html.replace(/(?<=[^\s/<])\/(?=[^\s/])/g, '/<wbr>');
}

/**
 * Wide tables scroll horizontally. On narrow screens each row becomes a card, in which the names of the columns label the
 * cells. In a table without a header, the first column contains row headers.
 */
function table({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string, ids: Map<Token, string>) {
  const hasHeader = header.some((cell) => cell.text !== '');
  const head = hasHeader
    ? `<thead><tr>${header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')}</tr></thead>`
    : '';
  const body = rows.map((row) => {
    const id = row.map((cell) => cell.tokens[0] && ids.get(cell.tokens[0])).find(Boolean);
    const cells = row.map((cell, index) => {
      if (index === 0 && !hasHeader) return `<th scope="row">${inline(cell)}</th>`;
      const column = header[index] && plainCell(header[index]);
      return `<td${column ? ` data-column="${escapeHtml(column)}"` : ''}>${inline(cell)}</td>`;
    });
    return `<tr${id ? ` id="${id}"` : ''}>${cells.join('')}</tr>`;
  });
  const label = hasHeader
    ? `Table: ${header
        .map((cell) => plainCell(cell))
        .filter(Boolean)
        .join(', ')}`
    : 'Table';
  return `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table class="columns-${header.length}">${head}<tbody>${body.join('')}</tbody></table></div>\n`;
}

/** Uses the code in the first or last cell of each row as the row's id. */
function assignRowIds({ rowIds }: MarkdownPage, { rows }: Tokens.Table, ids: Map<Token, string>, takeId: TakeId): void {
  if (!rowIds) return;
  for (const row of rows) {
    const [token] = row.at(rowIds === 'first' ? 0 : -1)?.tokens ?? [];
    if (token?.type === 'codespan') ids.set(token, takeId((token as Tokens.Codespan).text));
  }
}

/** In the Markdown version, makes links absolute and points them to the Markdown versions of other pages. */
function absoluteLinks(page: MarkdownPage, markdown: string): string {
  return markdown.replace(/\]\(([^)\s]+)\)/g, (all, href: string) => {
    const target = resolveLink(page, href, markdownPath);
    return target === undefined ? all : `](${target})`;
  });
}

function listSections(tokens: Token[], ids: Map<Token, string>, toHtml: (tokens: Token[]) => string): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const last = sections.at(-1);
    if (token.type === 'heading') {
      sections.push({ id: ids.get(token) ?? '', text: plain(token), depth: (token as Tokens.Heading).depth, body: '' });
    } else if (last) last.body = `${last.body} ${textOf(toHtml([token]))}`.trim();
  }
  return sections;
}

function textOf(html: string): string {
  return html
    .replace(/<\/?(?:a|code|em|strong|span|wbr)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function plain(token: Token): string {
  return (token as Tokens.Heading).text.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function plainCell({ text }: Tokens.TableCell): string {
  return text.replace(/[`*]/g, '');
}

type TakeId = (wanted: string) => string;

/** The second use of an id gets the suffix `-1`, the third `-2`. */
function uniqueIds(): TakeId {
  const uses = new Map<string, number>();
  return (wanted) => {
    const count = uses.get(wanted) ?? 0;
    uses.set(wanted, count + 1);
    return count === 0 ? wanted : `${wanted}-${count}`;
  };
}
