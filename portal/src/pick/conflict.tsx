import { partnerReasons } from '@aisle/contract/order';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { MessageKey } from '../messages/catalogue.ts';
import { changesBetween, type OrderChange } from './changes.ts';
import { acceptOrder, type Draft, isOpen, nameOf, statusOf } from './draft.ts';
import { removeDraft, updateDraft } from './drafts.ts';
import { useWording, type Wording } from './language.ts';
import { closeOrder } from './queue.ts';
import { navigate } from './route.ts';
import { sendMarks } from './sync.ts';
import type { Item, Order } from './types.ts';

/** Shows what happened to an order that changed while it was on this device, and by whom. */
export function Conflict({ draft, before }: { draft: Draft; before: Order }) {
  const wording = useWording();
  const { text, time } = wording;
  const { order } = draft;
  const canContinue = isOpen(draft);
  const isCancelled = statusOf(draft) === 'CANCELLED';
  const isDone = !canContinue && !isCancelled;
  const leave = () => {
    if (canContinue) removeDraft(order.order_id);
    else closeOrder(order.order_id);
    navigate({ name: 'queue' });
  };
  const resume = () => {
    updateDraft(order.order_id, acceptOrder);
    void sendMarks(order.order_id);
  };
  return (
    <main className="conflict">
      {isDone && draft.unsent.length === 0 ? (
        <IconCircleCheck className="good" aria-hidden />
      ) : (
        <IconAlertTriangle aria-hidden />
      )}
      <h1>{text(canContinue ? 'conflict.changed' : isCancelled ? 'conflict.cancelled' : 'conflict.done')}</h1>
      <p className="code">
        <bdi>{order.order_code}</bdi>
      </p>
      <p>{describeWho(draft, wording)}</p>
      {order.cancellation && (
        <p>{text('conflict.reason', { reason: describeReason(order.cancellation.reason, wording) })}</p>
      )}
      <p className="dim">{text('conflict.at', { time: time(new Date(order.sys.updated_at)) })}</p>
      {canContinue && <Changes changes={changesBetween(before, order)} draft={draft} />}
      {!canContinue && <Lost draft={draft} />}
      <div className="choices">
        {canContinue && (
          <button type="button" className="primary" onClick={resume}>
            {text('conflict.continue')}
          </button>
        )}
        <button type="button" className={canContinue ? undefined : 'primary'} onClick={leave}>
          {text('app.back')}
        </button>
      </div>
    </main>
  );
}

function Changes({ changes, draft }: { changes: OrderChange[]; draft: Draft }) {
  const wording = useWording();
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>{wording.text('conflict.whatChanged')}</h2>
      <ul>
        {changes.map((change) => (
          <li key={change.item._id}>{describeChange(change, draft, wording)}</li>
        ))}
      </ul>
    </section>
  );
}

/** The marks that were not sent before the order was closed. */
function Lost({ draft: { unsent, order, products } }: { draft: Draft }) {
  const { text, language } = useWording();
  if (unsent.length === 0) return null;
  return (
    <section>
      <h2>{text('conflict.lost', { count: unsent.length })}</h2>
      <ul>
        {unsent.map((mark) => {
          const item = order.items.find(({ _id }) => _id === mark.line_id);
          const name = nameOf(item?.sku ?? mark.sku ?? '', language, item, products);
          return (
            <li key={mark.mark_id}>{text('conflict.itemStatus', { name, status: text(`status.${mark.state}`) })}</li>
          );
        })}
      </ul>
    </section>
  );
}

function describeWho(draft: Draft, wording: Wording): string {
  const { text } = wording;
  const { order, picking } = draft;
  const by = order.cancellation?.cancelled_by ?? picking?.changed_by ?? order.sys.updated_by;
  const name = describeActor(by, wording);
  if (statusOf(draft) === 'CANCELLED') return text('conflict.cancelledBy', { name });
  return text(isOpen(draft) ? 'conflict.changedBy' : 'conflict.doneBy', { name });
}

/** The picking app knows the texts of the store's own reasons. */
function describeReason(reason: string, { text, code }: Wording): string {
  const own = partnerReasons.find((one) => one === reason);
  return own ? text(`order.reason.${own}`) : code(reason);
}

/** A party, such as the customer, or the name of a user, a token or a client. */
function describeActor(actor: string, { text }: Wording): string {
  const key: MessageKey | undefined = actorKeys[actor.toLowerCase()];
  if (key !== undefined) return text(key as 'actor.customer');
  return /^(user|token|client):/.test(actor) ? text('actor.vendor') : actor;
}

const actorKeys: Record<string, MessageKey> = {
  customer: 'actor.customer',
  logistics: 'actor.logistics',
  vendor: 'actor.vendor',
  platform: 'actor.platform',
  rider: 'actor.rider',
};

function describeChange(change: OrderChange, { products }: Draft, wording: Wording): string {
  const { text, language } = wording;
  const { item } = change;
  const name = nameOf(item.sku, language, item, products);
  if (change.kind === 'added') return text('conflict.itemAdded', { name, amount: amountOf(item, wording) });
  if (change.kind === 'removed') return text('conflict.itemRemoved', { name });
  if (change.kind === 'status') return text('conflict.itemStatus', { name, status: text(`status.${item.status}`) });
  return text('conflict.itemAmount', {
    name,
    before: amountOf(change.before, wording),
    after: amountOf(item, wording),
  });
}

function amountOf({ pricing }: Item, { kilograms, number }: Wording): string {
  return pricing.pricing_type === 'KG' ? kilograms(pricing.weight ?? 0) : `× ${number(pricing.quantity)}`;
}
