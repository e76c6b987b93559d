import { IconBasket, IconClock, IconListCheck, IconMessage, IconSettings, IconUser } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { readDevice, writeDevice } from './device.ts';
import { type Draft, isOpen, linesOf, progressOf, statusOf } from './draft.ts';
import { listDrafts, useDraft, useDrafts } from './drafts.ts';
import { useWording } from './language.ts';
import { type Queue, queue, serverNow } from './queue.ts';
import { navigate, pathOf, type View } from './route.ts';
import { ownKey, type Session } from './session.ts';
import { Settings } from './settings.tsx';
import { useStore } from './store.ts';
import { ToastArea } from './toast.tsx';
import type { QueuedOrder } from './types.ts';
import { urgencyOf } from './urgency.ts';

/** The orders that wait for picking, most urgent first. */
export function QueueView({ session }: { session: Session }) {
  const { text, number } = useWording();
  const current = useStore(queue);
  const [hasSettings, setSettings] = useState(false);
  const [storeId, setStoreId] = useState(() => (readDevice(ownKey('store')) as string | undefined) ?? '');
  const stores = new Map(current?.orders.map(({ vendor_id, vendor_name }) => [vendor_id, vendor_name]));
  const chooseStore = (id: string) => {
    writeDevice(ownKey('store'), id);
    setStoreId(id);
  };
  const isFiltered = stores.has(storeId);
  const orders = current?.orders.filter(({ vendor_id }) => !isFiltered || vendor_id === storeId);
  return (
    <>
      <header className="top">
        <h1>{text('queue.title')}</h1>
        {orders && orders.length > 0 && <span className="total">{number(orders.length)}</span>}
        <button
          type="button"
          className="icon-button"
          aria-label={text('queue.settings')}
          onClick={() => setSettings(true)}
        >
          <IconSettings aria-hidden />
        </button>
      </header>
      <main className="queue">
        {stores.size > 1 && (
          <label className="field">
            {text('queue.store')}
            <select value={isFiltered ? storeId : ''} onChange={({ target }) => chooseStore(target.value)}>
              <option value="">{text('queue.allStores')}</option>
              {[...stores].map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <ChangedOrders />
        {!orders && <p className="loading">{text('app.loading')}</p>}
        {current && orders?.length === 0 && <Empty />}
        {current && orders && <Orders queue={current} orders={orders} hasStores={stores.size > 1 && !isFiltered} />}
      </main>
      <ToastArea />
      {hasSettings && <Settings session={session} onClose={() => setSettings(false)} />}
    </>
  );
}

function Empty() {
  const { text } = useWording();
  return (
    <div className="empty">
      <IconBasket aria-hidden />
      <p>{text('queue.empty')}</p>
      <p className="dim">{text('queue.emptyHelp')}</p>
    </div>
  );
}

/** Orders on this device that were cancelled, completed or changed while the user was picking them. */
function ChangedOrders() {
  const { text } = useWording();
  const isChanged = ({ seenBefore }: Draft) => seenBefore !== undefined;
  useDrafts(() =>
    listDrafts()
      .filter(isChanged)
      .map(({ order }) => `${order.order_id} ${order.revision}`)
      .join(),
  );
  return listDrafts()
    .filter(isChanged)
    .map((draft) => (
      <ViewLink
        key={draft.order.order_id}
        className="card changed"
        view={{ name: 'order', orderId: draft.order.order_id }}
      >
        <b>{text('order.title', { code: draft.order.order_code })}</b>
        <span>{text(changeKeyOf(draft))}</span>
      </ViewLink>
    ));
}

function changeKeyOf(draft: Draft): 'conflict.changed' | 'conflict.cancelled' | 'conflict.done' {
  if (isOpen(draft)) return 'conflict.changed';
  return statusOf(draft) === 'CANCELLED' ? 'conflict.cancelled' : 'conflict.done';
}

function Orders({ queue: current, orders, hasStores }: { queue: Queue; orders: QueuedOrder[]; hasStores: boolean }) {
  const [now, setNow] = useState(() => serverNow(current));
  useEffect(() => {
    const update = () => setNow(serverNow(current));
    update();
    const timer = setInterval(update, 10_000);
    return () => clearInterval(timer);
  }, [current]);
  return (
    <ol className="orders">
      {orders.map((order) => (
        <li key={order.order_id}>
          <OrderCard order={order} now={now} hasStore={hasStores} />
        </li>
      ))}
    </ol>
  );
}

function OrderCard({ order, now, hasStore }: { order: QueuedOrder; now: number; hasStore: boolean }) {
  const { text, minutes } = useWording();
  const { level, kind, minutes: count } = urgencyOf(order, now);
  return (
    <ViewLink className="card" view={{ name: 'order', orderId: order.order_id }} level={level}>
      <span className="card-head">
        <bdi className="code">{order.order_code}</bdi>
        <span className="age" data-level={level}>
          <IconClock aria-hidden />{' '}
          {kind === 'waiting' && count === 0 ? text('queue.new') : text(`queue.${kind}`, { time: minutes(count) })}
        </span>
      </span>
      <span className="card-facts">
        <span className="fact">
          <IconBasket aria-hidden /> {text('queue.items', { count: order.item_count })}
        </span>
        {hasStore && <span className="fact">{order.vendor_name}</span>}
        {order.is_test && <span className="tag">{text('queue.test')}</span>}
      </span>
      {order.customer_note && (
        <span className="fact note">
          <IconMessage aria-hidden /> <bdi>{order.customer_note}</bdi>
        </span>
      )}
      <Pickers order={order} />
    </ViewLink>
  );
}

/** Who picks the order, and how far they are. Marks on this device that have not been sent yet count as well. */
function Pickers({ order }: { order: QueuedOrder }) {
  const { text, list } = useWording();
  const draft = useDraft(order.order_id);
  const hasUnsent = draft !== undefined && draft.unsent.length > 0;
  const progress = hasUnsent ? progressOf(linesOf(draft)) : order.progress;
  const others = order.pickers.filter(({ is_me }) => !is_me).map(({ name }) => name);
  const isMine = hasUnsent || order.pickers.length > others.length;
  const names = [...(isMine ? [text('queue.me')] : []), ...others];
  if (names.length === 0 && progress.picked === 0) return null;
  return (
    <span className="fact pickers" data-mine={isMine}>
      {names.length === 0 ? <IconListCheck aria-hidden /> : <IconUser aria-hidden />}
      {names.length === 0
        ? text('queue.progress', progress)
        : text('queue.pickedBy', { names: list(names), ...progress })}
    </span>
  );
}

type LinkProps = { view: View; className: string; level?: string; children: React.ReactNode };

/** A link that changes the view without loading the page again. */
function ViewLink({ view, className, level, children }: LinkProps) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(view);
  };
  return (
    <a className={className} href={pathOf(view)} data-level={level} onClick={open}>
      {children}
    </a>
  );
}
