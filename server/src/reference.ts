import { type ErrorCode, errors } from '@aisle/contract/errors';
import { routes } from '@aisle/contract/index';
import { openapiDocument } from '@aisle/contract/openapi/document';
import type { FastifyInstance } from 'fastify';
import { version } from './version.ts';

/** Serves the OpenAPI documents and the reference page. All assets are local, so the page works offline. */
export async function serveReference(app: FastifyInstance): Promise<void> {
  for (const api of ['partner', 'platform'] as const) {
    const text = JSON.stringify(openapiDocument(api, routes, version));
    app.get(`/openapi/${api}.json`, async (_request, reply) => reply.type('application/json').send(text));
  }
  app.get('/', async (_request, reply) => reply.redirect('/portal'));
  await app.register(async (page) => {
    page.addHook('onRequest', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      );
    });
    page.get('/docs/errors', async (_request, reply) => reply.type('text/html; charset=utf-8').send(errorPage));
    const { default: scalar } = await import('@scalar/fastify-api-reference');
    await page.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        pageTitle: 'Aisle API reference',
        sources: [
          { title: 'Partner API', slug: 'partner', url: '/openapi/partner.json' },
          { title: 'Platform API', slug: 'platform', url: '/openapi/platform.json' },
        ],
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        authentication: { preferredSecurityScheme: 'token' },
      } as never,
    });
  });
}

const rows = (Object.keys(errors) as ErrorCode[]).map((code) => {
  const { status, title, advice } = errors[code];
  const text = advice
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
  return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${text}</td></tr>`;
});

const errorPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Aisle errors</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
table{border-collapse:collapse}td,th{padding:.5rem .75rem;border-bottom:1px solid #dde3ea;text-align:left;vertical-align:top}
code{background:#f1f4f8;padding:.1em .3em;border-radius:4px}tr:target{background:#fff6d6}a{color:#0b63c5}</style>
<h1>Errors</h1><p>Error responses are <code>application/problem+json</code> (RFC 9457). The <code>code</code> is stable.
<a href="/docs">Back to the reference</a></p>
<table><thead><tr><th>code</th><th>status</th><th>meaning</th><th>what to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></html>`;
