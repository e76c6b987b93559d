import { type Publisher, watchPublishing } from '../events/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { HealthCheck } from '../kernel/http/health.ts';
import { hasWebhooks } from '../webhooks/index.ts';
import type { Sender } from './deliver.ts';
import { isStalled } from './backlog-queries.ts';

/** Whether deliveries are being sent. A receiver that does not respond does not make the service unhealthy. */
export function deliveryHealth(db: Db, publisher: Publisher | undefined, sender: Sender | undefined): HealthCheck {
  const isStuck = watchPublishing(db);
  return {
    name: 'deliveries',
    async check() {
      if (!publisher) return 'ok';
      if (!publisher.isAlive()) return 'no events could be published in the last 15 s';
      if (await isStuck()) return 'no process has published the next event in the last 15 s';
      if (!sender) return (await hasWebhooks(db)) ? 'there are webhooks, but AISLE_SECRET_KEY is not set' : 'ok';
      if (!sender.isAlive()) return 'the sender has not checked for deliveries in the last 15 s';
      return (await isStalled(db)) ? 'deliveries to working endpoints have been waiting for two minutes' : 'ok';
    },
  };
}
