import { useCallback, useSyncExternalStore } from 'react';
import { listDeviceKeys, onDeviceChange, readDevice, removeDevice, writeDevice } from './device.ts';
import { type Draft, isOpen, withLostMarks, withMark } from './draft.ts';
import { ownKey } from './session.ts';
import type { Mark } from './types.ts';

/** The drafts of the signed-in user, in memory and on the device. */
const drafts = new Map<string, Draft | undefined>();
const listeners = new Set<() => void>();
/** The ids of the marks that were made in this tab. */
const made = new Set<string>();

export function findDraft(orderId: string): Draft | undefined {
  const key = keyOf(orderId);
  if (!drafts.has(key)) drafts.set(key, readDevice(key) as Draft | undefined);
  return drafts.get(key);
}

export function setDraft(draft: Draft): void {
  const key = keyOf(draft.order.order_id);
  drafts.set(key, draft);
  if (!writeDevice(key, draft)) {
    makeSpace(key);
    writeDevice(key, draft);
  }
  notifyAll();
}

/** Changes a draft. Does nothing if the order is not on this device. */
export function updateDraft(orderId: string, change: (draft: Draft) => Draft): void {
  const draft = findDraft(orderId);
  if (draft) setDraft(change(draft));
}

export function addMark(orderId: string, mark: Mark): void {
  made.add(mark.mark_id);
  updateDraft(orderId, (draft) => withMark(draft, mark));
}

export function removeDraft(orderId: string): void {
  drafts.delete(keyOf(orderId));
  removeDevice(keyOf(orderId));
  notifyAll();
}

export function listDrafts(): Draft[] {
  const start = ownKey('draft/');
  return listDeviceKeys(start).flatMap((key) => findDraft(key.slice(start.length)) ?? []);
}

/** The marks that wait to be sent. Those of a cancelled or completed order are not sent any more. */
export function countUnsent(): number {
  return listDrafts()
    .filter(isOpen)
    .reduce((sum, { unsent }) => sum + unsent.length, 0);
}

export function useDraft(orderId: string): Draft | undefined {
  const read = useCallback(() => findDraft(orderId), [orderId]);
  return useSyncExternalStore(listenToDrafts, read);
}

/** Something computed from all drafts. It must be a primitive value, because it is compared by identity. */
export function useDrafts<Value extends string | number>(read: () => Value): Value {
  return useSyncExternalStore(listenToDrafts, read);
}

export function listenToDrafts(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Another tab changed or removed a draft, perhaps while this one changed it too. */
onDeviceChange('user/', (key) => {
  const before = drafts.get(key);
  drafts.delete(key);
  const stored = before && key === keyOf(before.order.order_id) ? findDraft(before.order.order_id) : undefined;
  if (!before || !stored) return notifyAll();
  const merged = withLostMarks(stored, before, made);
  if (merged === stored) notifyAll();
  else setDraft(merged);
});

function keyOf(orderId: string): string {
  return ownKey(`draft/${orderId}`);
}

function notifyAll(): void {
  for (const notify of listeners) notify();
}

/** Removes the orders on the device that can be loaded again, except the given one. */
function makeSpace(keptKey: string): void {
  for (const key of listDeviceKeys('user/')) {
    const draft = key.includes('/draft/') ? (readDevice(key) as Draft | undefined) : undefined;
    if (draft && key !== keptKey && draft.unsent.length === 0) removeDevice(key);
  }
}
