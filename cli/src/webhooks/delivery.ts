import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryDetails } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { styleOf } from '../terminal/paint.ts';
import { plain, truncate } from '../terminal/text.ts';

/** Waits for the first attempt since now, for as long as the server waits for a receiver, and some more. */
export async function waitForDelivery(context: Context, delivery_id: string): Promise<DeliveryDetails> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const delivery = await context.client().getDelivery({ params: { delivery_id } });
    if (delivery.status !== 'PENDING' || Date.now() > deadline) return delivery;
    await sleep(250, undefined, { signal: context.terminal.signal });
  }
}

export function deliveryText(context: Context, delivery: DeliveryDetails): string {
  const { attempts } = delivery;
  const fields = context.fields([
    ['Delivery', delivery.delivery_id],
    ['Type', delivery.type],
    ['Status', { text: delivery.status, style: styleOf(delivery.status) }],
    ['Order', delivery.order_id ?? undefined],
    ['Job', delivery.job_id ?? undefined],
    ['URL', attempts.at(-1)?.url],
    ['Next attempt', delivery.next_attempt_at === null ? undefined : context.relative(delivery.next_attempt_at)],
  ]);
  if (attempts.length === 0) return fields;
  const table = context.table(
    [
      { title: '', align: 'right' },
      { title: 'OUTCOME' },
      { title: 'HTTP', align: 'right' },
      { title: 'TIME', align: 'right' },
      { title: 'STARTED' },
      { title: 'RESPONSE', flexible: true },
    ],
    attempts.map((attempt) => [
      String(attempt.attempt_no),
      { text: attempt.outcome, style: attempt.outcome === 'success' ? 'green' : 'red' },
      attempt.http_status === null ? '' : String(attempt.http_status),
      `${attempt.duration_ms} ms`,
      context.relative(attempt.started_at),
      truncate(plain(attempt.error ?? attempt.response_body ?? ''), 200),
    ]),
  );
  return `${fields}\n\n${table}`;
}
