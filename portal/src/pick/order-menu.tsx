import { useState } from 'react';
import { partnerReasons } from '@aisle/contract/order';
import { allows } from '../orders/order.ts';
import type { Draft } from './draft.ts';
import type { Finish } from './finish.ts';
import { useWording } from './language.ts';
import { navigate } from './route.ts';
import { Sheet } from './sheet.tsx';
import { release } from './sync.ts';
import { showToast } from './toast.tsx';

type MenuProps = {
  draft: Draft;
  finish: Finish;
  hasPortal: boolean;
  /** Whether the menu opens with the reasons to cancel the order. */
  startsWithCancel: boolean;
  onClose(): void;
};

export function OrderMenu({ draft: { order }, finish, hasPortal, startsWithCancel, onClose }: MenuProps) {
  const { text } = useWording();
  const [isCancelling, setCancelling] = useState(startsWithCancel);
  const stop = () => {
    // The order is left first, because an open order that is free is claimed.
    navigate({ name: 'queue' });
    release(order.order_id).then(
      () => showToast('plain', text('claim.released')),
      () => showToast('bad', text('app.unreachable')),
    );
  };
  if (isCancelling) {
    return (
      <Sheet title={text('order.cancelReason')} onClose={onClose}>
        <div className="choices">
          {partnerReasons.map((reason) => (
            <button
              key={reason}
              type="button"
              className="danger"
              onClick={() => {
                onClose();
                void finish.cancelOrder(reason);
              }}
            >
              {text(`order.reason.${reason}`)}
            </button>
          ))}
          <button type="button" onClick={onClose}>
            {text('app.close')}
          </button>
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet title={text('order.title', { code: order.order_code })} onClose={onClose}>
      <div className="choices">
        <button type="button" onClick={stop}>
          {text('order.release')}
        </button>
        {hasPortal && (
          <a className="button" href={`/portal/orders/${order.order_id}`}>
            {text('order.openInPortal')}
          </a>
        )}
        {allows(order, 'CANCELLED') && (
          <button type="button" className="danger" onClick={() => setCancelling(true)}>
            {text('order.cancel')}
          </button>
        )}
      </div>
    </Sheet>
  );
}
