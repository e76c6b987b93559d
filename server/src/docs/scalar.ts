import fastify from 'fastify';

/**
 * The script for the API reference. The package exports only a Fastify plugin, so the script is requested from that
 * plugin.
 */
export async function readScalarScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi/partner.json' } });
  const { body } = await app.inject('/js/scalar.js');
  await app.close();
  return body;
}
