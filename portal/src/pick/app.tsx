import { useEffect } from 'react';
import { useIsOffline } from '../api/reach.ts';
import { countUnsent, useDrafts } from './drafts.ts';
import { useWording } from './language.ts';
import { notifyNewOrder } from './notifications.ts';
import { OrderView } from './order-view.tsx';
import { QueueView } from './queue-view.tsx';
import { followQueue, queue } from './queue.ts';
import { useView } from './route.ts';
import { session, type Session } from './session.ts';
import { PortalNeeded, SignIn } from './sign-in.tsx';
import { play } from './sounds.ts';
import { useStore } from './store.ts';

export function App() {
  const { text } = useWording();
  const current = useStore(session);
  if (current === undefined) return <p className="loading">{text('app.loading')}</p>;
  if (current === null) return <SignIn />;
  if (current.must_change_password)
    return <PortalNeeded title={text('signIn.passwordGiven')} action={text('signIn.choosePassword')} />;
  if (current.must_set_up_second_factor)
    return <PortalNeeded title={text('signIn.secondFactor')} action={text('signIn.setUp')} />;
  return <SignedIn key={current.user.user_id} session={current} />;
}

function SignedIn({ session: current }: { session: Session }) {
  const view = useView();
  const { text } = useWording();
  const count = useStore(queue)?.orders.length ?? 0;
  useEffect(() => {
    const stop = new AbortController();
    void followQueue(stop.signal, {
      onNew: (orders) => {
        play('newOrder');
        for (const order of orders) notifyNewOrder(text('queue.newOrder', { code: order.order_code }), order.order_id);
      },
    });
    return () => stop.abort();
  }, [text]);
  useEffect(() => {
    document.title = count > 0 ? text('queue.titleCount', { count }) : text('queue.title');
  }, [count, text]);
  return (
    <>
      <ConnectionBanner />
      {view.name === 'queue' ? (
        <QueueView session={current} />
      ) : (
        <OrderView key={view.orderId} orderId={view.orderId} session={current} />
      )}
    </>
  );
}

/** Says that the server cannot be reached, and that nothing is lost. */
function ConnectionBanner() {
  const { text } = useWording();
  const isOffline = useIsOffline();
  const unsent = useDrafts(countUnsent);
  return (
    <div className="banners" role="status">
      {isOffline && (
        <p className="banner">
          {text('app.offline')} {unsent > 0 && <b>{text('app.unsent', { count: unsent })}</b>}
        </p>
      )}
    </div>
  );
}
