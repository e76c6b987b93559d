import { useEffect, useRef, useState } from 'react';
import type { Draft } from './draft.ts';
import { linesOf, progressOf } from './draft.ts';
import { useWording } from './language.ts';
import { navigate } from './route.ts';
import { Sheet } from './sheet.tsx';
import { claim } from './sync.ts';
import { clearToast, showToast } from './toast.tsx';

const renewMs = 3 * 60_000;

/** Claims the order while it is open. If another picker has claimed it, asks whether to share it or to take it over. */
export function ClaimGate({ draft }: { draft: Draft }) {
  const { text, list } = useWording();
  const [isPending, setPending] = useState(false);
  const { order_id: orderId } = draft.order;
  const pickers = draft.picking?.pickers;
  const isMine = pickers?.some(({ is_me }) => is_me) ?? false;
  const others = pickers?.filter(({ is_me }) => !is_me) ?? [];
  const isFree = pickers?.length === 0;
  const wasMine = useRef(false);
  useEffect(() => {
    if (isMine) wasMine.current = true;
  }, [isMine]);
  useEffect(() => {
    // Without a network, the claim follows when the picking state has been loaded again.
    if (isFree) claim(orderId, 'CLAIM').catch(() => undefined);
  }, [isFree, orderId]);
  useEffect(() => {
    if (!isMine) return undefined;
    const timer = setInterval(() => void claim(orderId, 'SHARE').catch(() => undefined), renewMs);
    return () => clearInterval(timer);
  }, [isMine, orderId]);
  if (isMine || others.length === 0) return null;
  const names = list(others.map(({ name }) => name));
  const choose = (mode: 'SHARE' | 'TAKE_OVER') => {
    setPending(true);
    clearToast();
    claim(orderId, mode)
      .catch(() => showToast('bad', text('app.unreachable')))
      .finally(() => setPending(false));
  };
  const leave = () => navigate({ name: 'queue' });
  return (
    <Sheet title={text(wasMine.current ? 'claim.lost' : 'claim.title', { names })} onClose={leave}>
      <p>{wasMine.current ? text('claim.lostHelp') : text('claim.progress', progressOf(linesOf(draft)))}</p>
      <div className="choices">
        <button type="button" className="primary" disabled={isPending} onClick={() => choose('SHARE')}>
          {text('claim.share')}
          <small>{text('claim.shareHelp')}</small>
        </button>
        <button type="button" disabled={isPending} onClick={() => choose('TAKE_OVER')}>
          {text('claim.takeOver')}
          <small>{text('claim.takeOverHelp')}</small>
        </button>
        <button type="button" onClick={leave}>
          {text('app.back')}
        </button>
      </div>
    </Sheet>
  );
}
