import { IconCamera } from '@tabler/icons-react';
import { useIsOffline } from '../api/reach.ts';
import { allows, findFulfilment } from '../orders/order.ts';
import { type Draft, hasPickedItems, type Line, progressOf } from './draft.ts';
import type { Finish } from './finish.ts';
import { useWording } from './language.ts';
import { Sheet } from './sheet.tsx';
import { ToastArea } from './toast.tsx';

type BarProps = {
  draft: Draft;
  lines: readonly Line[];
  finish: Finish;
  onCamera(): void;
  /** Asks why the order is cancelled. */
  onCancel(): void;
};

/** The bar at the bottom of an order, within reach of the thumb: results, progress and the buttons to finish. */
export function OrderBar({ draft, lines, finish, onCamera, onCancel }: BarProps) {
  const { text } = useWording();
  const isOffline = useIsOffline();
  const { picked, total } = progressOf(lines);
  const isComplete = picked === total;
  const missing = lines.filter(({ state }) => state === 'NOT_FOUND').length;
  const completeText = missing === 0 ? text('order.allPicked') : text('order.allDone', { count: missing });
  const fulfilment = findFulfilment(draft.order);
  const isEmpty = isComplete && !hasPickedItems(lines);
  const canFinish = isComplete && !isEmpty && !isOffline && !finish.isPending && fulfilment !== undefined;
  return (
    <footer className="bar">
      <ToastArea />
      <CheckResult draft={draft} open={total - picked} finish={finish} />
      {isEmpty && <p className="notice">{text('finish.nothing')}</p>}
      <p className="bar-progress">
        <progress value={picked} max={total} aria-label={text('order.progress', { picked, total })} />
        <b>{isComplete ? completeText : text('order.progress', { picked, total })}</b>
      </p>
      <div className="bar-buttons">
        <button type="button" className="icon-button" aria-label={text('order.scan')} onClick={onCamera}>
          <IconCamera aria-hidden />
        </button>
        <button type="button" disabled={finish.isPending || isOffline} onClick={() => void finish.check()}>
          {text('check.button')}
        </button>
        {isEmpty && !isOffline && allows(draft.order, 'CANCELLED') ? (
          <button type="button" className="danger" disabled={finish.isPending} onClick={onCancel}>
            {text('order.cancel')}
          </button>
        ) : (
          <button type="button" className="primary" disabled={!canFinish} onClick={() => void finish.finish()}>
            {isOffline ? text('finish.offline') : text(`finish.${fulfilment ?? 'READY_FOR_PICKUP'}`)}
          </button>
        )}
      </div>
    </footer>
  );
}

type CheckProps = { draft: Draft /** How many items are not picked yet. */; open: number; finish: Finish };

function CheckResult({ draft, open, finish: { checked } }: CheckProps) {
  const { text, money } = useWording();
  if (!checked) return null;
  if (!checked.result) {
    return (
      <p className="notice" data-tone="bad" role="alert">
        <b>{text('check.failed')}</b> {checked.problem}
      </p>
    );
  }
  const { order_total: after, currency } = checked.result.payment;
  const before = draft.order.payment.order_total;
  return (
    <div className="notice" data-tone="good" role="status">
      <p>
        <b>{text('check.good')}</b>{' '}
        {after === before
          ? text('check.total', { total: money(after, currency) })
          : text('check.totalWas', { total: money(after, currency), before: money(before, currency) })}
      </p>
      {open > 0 && <p>{text('check.open', { count: open })}</p>}
      {checked.result.warnings?.map((warning) => (
        <p key={warning.pointer + warning.code}>
          {warning.code === 'replacement_price_capped' ? text('check.capped') : warning.message}
        </p>
      ))}
    </div>
  );
}

/** Asks before a customer who has already paid is charged more. */
export function IncreaseQuestion({ draft, finish }: { draft: Draft; finish: Finish }) {
  const { text, money } = useWording();
  if (!finish.increase) return null;
  const { order_total: after, currency } = finish.increase.payment;
  const before = draft.order.payment.order_total;
  const values = {
    before: money(before, currency),
    total: money(after, currency),
    difference: money(after - before, currency),
  };
  return (
    <Sheet title={text('finish.increase')} onClose={finish.cancelIncrease}>
      <p>{text('finish.increaseHelp', values)}</p>
      <div className="choices">
        <button type="button" className="primary" onClick={() => void finish.confirmIncrease()}>
          {text('finish.increaseConfirm')}
        </button>
        <button type="button" onClick={finish.cancelIncrease}>
          {text('app.cancel')}
        </button>
      </div>
    </Sheet>
  );
}
