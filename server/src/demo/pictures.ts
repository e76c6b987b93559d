import type { FastifyInstance } from 'fastify';
import { pictureFor } from '@aisle/demo/picture';

export const picturePath = '/demo/pictures/';

/** Serves the product images of the demo chain, which are drawn on request. */
export function serveDemoPictures(http: FastifyInstance): void {
  http.get<{ Params: { file: string } }>(`${picturePath}:file`, async (request, reply) => {
    const picture = pictureFor(request.params.file.replace(/\.svg$/, ''));
    if (picture === null) return reply.callNotFound();
    return reply
      .type('image/svg+xml')
      .headers({ 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' })
      .send(picture);
  });
}
