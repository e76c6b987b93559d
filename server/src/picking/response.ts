import type { PickedLine, PickingState } from '@aisle/contract/picking-state';
import { isPickable, type OrderRow } from '../orders/index.ts';
import type { ClaimRow, LineRow } from './queries.ts';

export type StateRows = {
  order: OrderRow;
  changedBy: string;
  /** The setting of the store. */
  weightedReplacement: boolean;
  version: number;
  claims: ClaimRow[];
  lines: LineRow[];
};

/** `me` is the caller as an actor. */
export function stateResponse(rows: StateRows, me: string): PickingState {
  const { order, changedBy, weightedReplacement, version, claims, lines } = rows;
  const isOpen = isPickable(order);
  const live = isOpen ? claims : [];
  return {
    order_id: order.order_id,
    vendor_id: order.vendor_id,
    status: order.status,
    revision: order.revision,
    changed_by: changedBy,
    is_open: isOpen,
    weighted_replacement: weightedReplacement,
    // A claim expires without a statement that raises the version, so the number of claims is part of it.
    version: `${order.revision}-${version}-${live.length}`,
    pickers: live.map((claim) => ({
      ...pickerResponse(claim, me),
      claimed_at: claim.claimed_at.toISOString(),
      expires_at: claim.expires_at.toISOString(),
    })),
    lines: lines.map((line) => lineResponse(line, me)),
  };
}

export function pickerResponse({ actor, name }: { actor: string; name: string }, me: string) {
  return { actor, name, is_me: actor === me };
}

function lineResponse(line: LineRow, me: string): PickedLine {
  return {
    line_id: line.line_id,
    state: line.state,
    quantity: line.quantity,
    weight: numberOf(line.weight),
    sku: line.sku,
    replacement:
      line.replacement_sku === null
        ? null
        : {
            sku: line.replacement_sku,
            quantity: line.replacement_quantity,
            weight: numberOf(line.replacement_weight),
          },
    scanned_codes: line.scanned_codes,
    mark_id: line.mark_id,
    marked_at: line.marked_at.toISOString(),
    received_at: line.received_at.toISOString(),
    marked_by: pickerResponse({ actor: line.actor, name: line.actor_name }, me),
  };
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
