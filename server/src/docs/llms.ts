import { groups, markdownPath } from './pages.ts';

/** /llms.txt: an index of the documentation for coding assistants (llmstxt.org). */
export function llmsText(): string {
  const lists = groups.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const url = 'source' in page ? markdownPath(page) : `/openapi/${page.api}.json`;
      return `- [${page.title}${'api' in page ? ' (OpenAPI 3.1)' : ''}](${url}): ${page.summary}`;
    });
    return `## ${title}\n\n${links.join('\n')}`;
  });
  return `# Aisle\n\n> ${description}\n\n${lists.join('\n\n')}\n`;
}

const description =
  'A partner-commerce service for quick-commerce marketplaces. Retail chains use its HTTP API to keep catalogs, prices, stock and promotions up to date, and to receive and fulfil orders. All pages below are Markdown.';
