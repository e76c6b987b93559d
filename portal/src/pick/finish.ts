import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { ResponseBody } from '../api/operations.ts';
import { problemText } from '../messages/server-text.ts';
import { findFulfilment } from '../orders/order.ts';
import { type Draft, isTaken, linesOf } from './draft.ts';
import { findDraft, updateDraft } from './drafts.ts';
import { useWording } from './language.ts';
import { putBody } from './put-body.ts';
import { codeOf, request } from './request.ts';
import { navigate } from './route.ts';
import { closeOrder } from './queue.ts';
import { play } from './sounds.ts';
import { loadDraft, refreshPicking, sendMarks } from './sync.ts';
import { clearToast, flash, refuse, showToast } from './toast.tsx';

type Result = ResponseBody<'putOrder'>;

export type Finish = {
  isPending: boolean;
  /** The result of the last check, until the cart changes. */
  checked: Checked | undefined;
  /** The new total of a paid order that the picker has to confirm, until the cart changes. */
  increase: Result | undefined;
  check(): Promise<void>;
  /** Checks the cart, and fulfils the order unless the picker has to confirm a higher total. */
  finish(): Promise<void>;
  confirmIncrease(): Promise<void>;
  cancelIncrease(): void;
  cancelOrder(reason: 'CLOSED' | 'ITEM_UNAVAILABLE' | 'TOO_BUSY'): Promise<void>;
};

type Checked = { cart: string; result?: Result; problem?: string };

export function useFinish(draft: Draft): Finish {
  const { text } = useWording();
  const [isPending, setPending] = useState(false);
  const [checked, setChecked] = useState<Checked>();
  const [increase, setIncrease] = useState<{ cart: string; result: Result }>();
  const { order_id: orderId, order_code: code } = draft.order;

  const run = async (work: () => Promise<void>) => {
    setPending(true);
    clearToast();
    try {
      await work();
    } catch (error) {
      if (isStale(error)) await handleStale(orderId, () => leave(text('finish.done', { code })));
      else {
        const message = describe(error, text('app.unreachable'), text('app.failed'));
        setChecked({ cart: cartOf(findDraft(orderId) ?? draft), problem: message });
        play('bad');
        flash();
      }
    } finally {
      setPending(false);
    }
  };
  const leave = (message: string) => {
    closeOrder(orderId);
    play('complete');
    navigate({ name: 'queue' });
    showToast('good', message);
  };
  const put = async (status: ReturnType<typeof findFulfilment> | 'UPDATE_CART') => {
    const current = findDraft(orderId) ?? draft;
    if (!status) throw new Error(text('app.failed'));
    const body = putBody(current, linesOf(current), status);
    return request('putOrder', { params: { order_id: orderId }, body }, ifUnchanged(current));
  };
  /** Undefined if the picker has to see first how the order has changed meanwhile, or that others have taken it over. */
  const refresh = async () => {
    await sendMarks(orderId);
    await refreshPicking(orderId);
    const current = findDraft(orderId) ?? draft;
    return current.seenBefore || isTaken(current) ? undefined : current;
  };
  const submit = async () => {
    const current = await refresh();
    if (!current) return;
    if (cartOf(current) !== cartOf(draft)) return refuse(text('conflict.changed'));
    updateDraft(orderId, (before) => ({ ...before, isSubmitted: true }));
    await put(findFulfilment(draft.order));
    leave(text('finish.done', { code }));
  };
  return {
    isPending,
    checked: checked?.cart === cartOf(draft) ? checked : undefined,
    increase: increase?.cart === cartOf(draft) ? increase.result : undefined,
    check: () =>
      run(async () => {
        const result = await put('UPDATE_CART');
        play('good');
        setChecked({ cart: cartOf(draft), result });
      }),
    finish: () =>
      run(async () => {
        const result = await put('UPDATE_CART');
        if (isIncrease(draft, result)) setIncrease({ cart: cartOf(draft), result });
        else await submit();
      }),
    confirmIncrease: () => {
      setIncrease(undefined);
      return run(submit);
    },
    cancelIncrease: () => setIncrease(undefined),
    cancelOrder: (reason) =>
      run(async () => {
        const current = await refresh();
        if (!current) return;
        const body = { order_id: orderId, status: 'CANCELLED' as const, items: [], cancellation: { reason } };
        await request('putOrder', { params: { order_id: orderId }, body }, ifUnchanged(current));
        leave(text('order.cancelled', { code }));
      }),
  };
}

/** Only cash is collected after picking; any other payment was authorized for the ordered total. */
export function isIncrease({ order }: Draft, { payment }: Pick<Result, 'payment'>): boolean {
  return order.payment.type !== 'CASH' && payment.order_total > order.payment.order_total;
}

/** The request fails if the order has changed. */
function ifUnchanged({ order }: Draft) {
  return { headers: { 'if-match': `"${order.revision}"` } };
}

/** Identifies what is in the cart. */
function cartOf(draft: Draft): string {
  return JSON.stringify(putBody(draft, linesOf(draft), 'UPDATE_CART').items);
}

function isStale(error: unknown): boolean {
  return ['precondition_failed', 'order_state_conflict'].includes(codeOf(error) ?? '');
}

/** If this device has already fulfilled the order, but did not get the response, the order is done. */
async function handleStale(orderId: string, onDone: () => void): Promise<void> {
  const isSubmitted = findDraft(orderId)?.isSubmitted ?? false;
  const { status } = await loadDraft(orderId);
  if (isSubmitted && (status === 'READY_FOR_PICKUP' || status === 'DISPATCHED')) onDone();
}

function describe(error: unknown, unreachable: string, failed: string): string {
  if (!(error instanceof ApiError)) return failed;
  if (error.status === 0) return unreachable;
  const [first] = error.problem.errors ?? [];
  return first ? problemText(first.code, first.message) : error.message;
}
