import { useState } from 'react';
import { type Extra, type Line, newAddition } from './draft.ts';
import { updateDraft } from './drafts.ts';
import type { Chosen } from './product-sheet.tsx';
import { changeLine } from './sync.ts';
import { clearToast } from './toast.tsx';
import type { Stranger } from './use-scan.ts';

/** Which product the picker is choosing, and for what. */
export type Choosing =
  | { kind: 'replace'; line: Line; chosen: Chosen | undefined }
  | { kind: 'add'; chosen: Chosen | undefined }
  | { kind: 'stranger'; stranger: Stranger };

export function useChoosing(orderId: string) {
  const [state, show] = useState<Choosing>();
  const close = () => {
    clearToast();
    show(undefined);
  };
  const choose = (chosen: Chosen | undefined) => {
    clearToast();
    if (state?.kind === 'replace' || state?.kind === 'add') show({ ...state, chosen });
  };
  const confirm = ({ product, codes }: Chosen, amount: Extra) => {
    updateDraft(orderId, (draft) => ({ ...draft, products: { ...draft.products, [product.sku]: product } }));
    if (state?.kind === 'replace') {
      const { line } = state;
      const scannedCodes = [...line.scannedCodes, ...codes];
      changeLine(orderId, line, { state: 'REPLACED', quantity: null, weight: null, replacement: amount, scannedCodes });
    } else {
      const line = newAddition(crypto.randomUUID(), amount, codes);
      changeLine(orderId, line, { state: 'ADDED' });
    }
    close();
  };
  return { state, show, close, choose, confirm };
}
