import { isSameBarcode } from '@aisle/contract/embedded-barcode';
import { useLayoutEffect, useRef } from 'react';
import type { Draft, Line } from './draft.ts';
import { canReplace, nameOf } from './draft.ts';
import { findDraft, updateDraft } from './drafts.ts';
import { type Wording, useWording } from './language.ts';
import { lineElementId } from './line-view.tsx';
import type { Chosen } from './product-sheet.tsx';
import { codeOf, isTemporary, request } from './request.ts';
import { decideScan, type ScanResult, weightFor } from './scan.ts';
import { embeddedRules } from './scan-rules.ts';
import { play } from './sounds.ts';
import { changeLine } from './sync.ts';
import { flash, refuse, showToast } from './toast.tsx';
import { toProduct } from './types.ts';
import { listenForScans } from './wedge.ts';

/** A product that was scanned, but is not in the order. */
export type Stranger = { code: string; chosen: Chosen | undefined };

type Handlers = {
  orderId: string;
  /** The line whose replacement is being chosen: the next scan chooses it. */
  replacing: Line | undefined;
  /** Whether a product to add is being chosen. */
  isAdding: boolean;
  /** Whether other pickers have the order, and this one has not chosen yet what to do. */
  isTaken: boolean;
  onChoose(chosen: Chosen): void;
  onStranger(stranger: Stranger): void;
  onLine(line: Line): void;
};

/** Handles scanned codes while an order is open. Returns the function for codes from the camera. */
export function useScan(handlers: Handlers): (code: string) => void {
  const wording = useWording();
  const latest = useRef({ handlers, wording });
  latest.current = { handlers, wording };
  const scan = useRef((code: string) => void handleScan(code, latest.current.handlers, latest.current.wording));
  // A scan right after the order is shown must not be lost.
  useLayoutEffect(() => listenForScans(scan.current), []);
  return scan.current;
}

async function handleScan(code: string, handlers: Handlers, wording: Wording): Promise<void> {
  const draft = findDraft(handlers.orderId);
  if (!draft) return;
  if (handlers.isTaken) return refuse(wording.text('claim.first'));
  if (handlers.replacing || handlers.isAdding) return chooseByCode(code, draft, handlers, wording);
  const result = decideScan(code, draft, embeddedRules());
  if (result.kind === 'notInOrder') return meetStranger(code, draft, handlers, wording);
  handlers.onLine(result.line);
  document.getElementById(lineElementId(result.line))?.scrollIntoView({ block: 'center' });
  applyResult(result, draft, wording);
}

function applyResult(result: Exclude<ScanResult, { kind: 'notInOrder' }>, draft: Draft, wording: Wording): void {
  const { text, kilograms, language } = wording;
  const { line, sku } = result;
  const name = nameOf(sku, language, sku === line.sku ? line.item : undefined, draft.products);
  switch (result.kind) {
    case 'counted': {
      changeLine(draft.order.order_id, line, result.change);
      const { count, total } = result;
      play(count === (total ?? count) ? 'complete' : 'good');
      const message =
        total === undefined ? text('scan.addedMore', { name, count }) : text('scan.added', { name, count, total });
      return showToast('good', message);
    }
    case 'weighed':
    case 'weightBelow': {
      changeLine(draft.order.order_id, line, result.change);
      const weight = kilograms(result.weight);
      play(result.kind === 'weighed' ? 'complete' : 'good');
      if (result.kind === 'weighed') return showToast('good', text('scan.weighed', { name, weight }));
      return showToast('plain', text('scan.weightBelow', { name, weight, min: kilograms(result.limits.min) }));
    }
    case 'weightAbove': {
      const { min, max = min } = result.limits;
      const range = { min: kilograms(min), max: kilograms(max) };
      return refuse(text('scan.weightOutside', { name, weight: kilograms(result.weight), ...range }));
    }
    case 'enterWeight':
      document.querySelector<HTMLInputElement>(`#${CSS.escape(lineElementId(line))} input`)?.focus();
      play('good');
      return showToast('plain', text('scan.enterWeight', { name }));
    case 'complete':
      return refuse(text('scan.complete', { name }));
    case 'closed':
      return refuse(text('scan.closed', { name }));
  }
}

/** A wrong item: it is refused at once, and the picker can use it in another way. */
async function meetStranger(
  code: string,
  { order }: Draft,
  { onStranger }: Handlers,
  { text }: Wording,
): Promise<void> {
  play('bad');
  flash();
  try {
    onStranger({ code, chosen: await findByCode(order.order_id, code) });
  } catch (error) {
    showToast(
      'bad',
      isTemporary(error) ? text('scan.offline', { code }) : `${text('app.failed')}: ${codeOf(error) ?? ''}`,
    );
  }
}

async function chooseByCode(code: string, draft: Draft, handlers: Handlers, wording: Wording): Promise<void> {
  const { text, language } = wording;
  const { replacing } = handlers;
  if (replacing && [replacing.sku, ...(replacing.item?.barcode ?? [])].some((one) => isSameBarcode(one, code))) {
    return refuse(text('scan.sameItem'));
  }
  try {
    const chosen = await findByCode(draft.order.order_id, code);
    if (!chosen) return refuse(text('scan.unknownHelp', { code }));
    const { product } = chosen;
    if (replacing && !canReplace(draft, replacing, product)) {
      const name = nameOf(product.sku, language, undefined, { [product.sku]: product });
      return refuse(text('scan.weighedReplacement', { name }));
    }
    play('good');
    handlers.onChoose(chosen);
  } catch {
    refuse(text('product.offline'));
  }
}

async function findByCode(orderId: string, code: string): Promise<Chosen | undefined> {
  const found = await request('findPickingProducts', { params: { order_id: orderId }, query: { code } });
  const [first] = found.products;
  if (!first) return undefined;
  const product = toProduct(first);
  updateDraft(orderId, (draft) => ({ ...draft, products: { ...draft.products, [product.sku]: product } }));
  return { product, weight: found.embedded ? weightFor(found.embedded, product) : undefined, codes: [code] };
}
