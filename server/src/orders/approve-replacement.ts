import type { ApprovalAction, ApprovalActor, Approval } from '@aisle/contract/approval';
import Type from 'typebox';
import type { Links } from '../config.ts';
import { findOffers } from '../catalog/index.ts';
import { findVendors } from '../identity/index.ts';
import { defineTask, enqueue } from '../kernel/background/queue.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid, notFound } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { type By, saveChange, stateConflict } from './change-order.ts';
import { offerOf } from './decide-lines.ts';
import { lockOrder } from './queries.ts';
import {
  approvalTermsOf,
  type ApprovalTransition,
  defaultTerms,
  findApprovalTransition,
  stateOf,
} from './rules/approvals.ts';
import { isOriginal, readLine, type StoredLine } from './rules/line.ts';
import type { OrderRow } from './rules/order-response.ts';
import { isPickable } from './rules/states.ts';

/**
 * Questions to the customer about replacements. The store proposes a product, the platform approves, rejects or names
 * another one for the customer, and without an answer the terms of the order decide when the deadline has passed.
 *
 * The state is part of the line item, so it changes under the lock of the order, and every change is a revision of the
 * order with its event. The deadline is a delayed task, which does nothing if the proposal is no longer open.
 */
export type ApprovalContext = { by: By; now: Date; links: Links };
type Product = { sku: string; name: string; price: number };

/** Applies an action to a locked order. Fails if the table of transitions does not allow it. */
export async function proposeReplacement(
  tx: Tx,
  row: OrderRow,
  itemId: string,
  { sku, quantity }: { sku: string; quantity?: number },
  context: ApprovalContext,
): Promise<OrderRow> {
  const terms = approvalTermsOf(row);
  if (!terms) throw new Failure('approval_not_required');
  const item = getItem(row, itemId);
  const transition = getApprovalTransition(row, item, 'propose', 'partner');
  const { name, price } = await getReplacement(tx, row, sku);
  const { seconds } = terms;
  const isWeighed = item.pricingType === 'KG';
  const proposal_id = newId();
  const approval: Approval = {
    proposal_id,
    state: transition.to,
    sku,
    name,
    unit_price: price,
    ...(!isWeighed && { quantity: quantity ?? item.ordered.quantity }),
    deadline: new Date(context.now.getTime() + seconds * 1000).toISOString(),
  };
  const payload = { order_id: row.order_id, item_id: itemId, proposal_id };
  const lane = `approval ${proposal_id}`;
  await enqueue(tx, expireTask, [{ chainId: row.chain_id, lane, batch: lane, payload, afterSeconds: seconds }]);
  return save(tx, row, item, approval, transition, 'replacement_proposed', context);
}

export function withdrawReplacement(tx: Tx, row: OrderRow, itemId: string, context: ApprovalContext): OrderRow {
  return change(tx, row, itemId, 'withdraw', 'partner', 'replacement_withdrawn', context);
}

export async function decideReplacement(
  tx: Tx,
  row: OrderRow,
  itemId: string,
  decision: Decision,
  context: ApprovalContext,
): Promise<OrderRow> {
  const { action } = decision;
  const item = getItem(row, itemId);
  getApprovalTransition(row, item, action, 'platform');
  checkProposal(item, decision.proposal_id);
  const counter = action === 'counter' ? await getReplacement(tx, row, decision.sku) : undefined;
  const more = {
    decided_by: 'platform' as const,
    ...(counter && { counter_sku: counter.sku, counter_name: counter.name }),
  };
  return change(tx, row, itemId, action, 'platform', 'replacement_decided', context, more);
}

/** `proposal_id` is the proposal that the customer has seen. */
type Decision = ({ action: 'approve' | 'reject' } | { action: 'counter'; sku: string }) & { proposal_id?: string };

/** The store can make another proposal, for example at another price, while the customer decides. */
function checkProposal({ approval }: StoredLine, proposalId: string | undefined): void {
  if (proposalId === undefined || proposalId.toLowerCase() === approval?.proposal_id) return;
  throw new Failure('approval_state_conflict', 'The store has made another proposal for this item; read the order.', {
    extra: { approval_state: stateOf(approval) },
  });
}

/** Runs when the deadline of a proposal has passed. */
export const expireTask = defineTask('orders.expire_approval', {
  order_id: Type.String(),
  item_id: Type.String(),
  proposal_id: Type.String(),
});
type ExpirePayload = ReturnType<typeof expireTask.readPayload>;

export async function expireApproval(tx: Tx, chainId: string, payload: ExpirePayload, links: Links): Promise<'done'> {
  const row = await lockOrder(tx, chainId, payload.order_id);
  const item = row?.items.find(({ id }) => id === payload.item_id);
  const isOpen = item?.approval?.proposal_id === payload.proposal_id && item.approval.state === 'PROPOSED';
  if (!row || !isOpen || !isPickable(row)) return 'done';
  const by = { name: 'platform', actor: 'clock' };
  const context = { by, now: new Date(), links };
  change(tx, row, payload.item_id, 'expire', 'clock', 'replacement_decided', context, { decided_by: 'clock' });
  return 'done';
}

function change(
  tx: Tx,
  row: OrderRow,
  itemId: string,
  action: ApprovalAction,
  actor: ApprovalActor,
  name: string,
  context: ApprovalContext,
  more: Partial<Approval> = {},
): OrderRow {
  const item = getItem(row, itemId);
  const transition = getApprovalTransition(row, item, action, actor);
  const approval = { ...(item.approval as Approval), ...more, state: transition.to };
  return save(tx, row, item, approval, transition, name, context);
}

function save(
  tx: Tx,
  row: OrderRow,
  item: StoredLine,
  approval: Approval,
  transition: ApprovalTransition,
  action: string,
  { by, now, links }: ApprovalContext,
): OrderRow {
  const items = row.items.map((one) => (one.id === item.id ? { ...one, approval } : one));
  const { event, platformEvent } = transition;
  const caused = { ...(event && { event }), ...(platformEvent && { platformEvent }) };
  return saveChange(tx, row, { items }, { transition: caused, action, by, now, itemId: item.id }, links);
}

function getItem(row: OrderRow, itemId: string): StoredLine {
  const item = row.items.find(({ id }) => id === itemId);
  if (!item || !isOriginal(readLine(item))) throw notFound('order_item_not_found', itemId, 'this order');
  return item;
}

function getApprovalTransition(
  row: OrderRow,
  item: StoredLine,
  action: ApprovalAction,
  by: ApprovalActor,
): ApprovalTransition {
  if (!isPickable(row)) throw stateConflict(row, `${action} (replacement)`, by === 'partner' ? 'partner' : 'platform');
  const state = stateOf(item.approval);
  const found = findApprovalTransition(state, action, by, approvalTermsOf(row) ?? defaultTerms);
  if (found) return found;
  throw new Failure('approval_state_conflict', `The state of the item is ${state}, which does not allow ${action}.`, {
    extra: { approval_state: state },
  });
}

/** A product of the store that is not in the order. */
async function getReplacement(tx: Tx, row: OrderRow, sku: string): Promise<Product> {
  if (row.items.some((item) => item.sku === sku)) {
    throw invalid([{ pointer: '/sku', code: 'not_allowed', message: 'is already in the order' }]);
  }
  const [[vendor], [offer]] = await Promise.all([
    findVendors(tx, row.chain_id, [row.vendor_id]),
    findOffers(tx, row.chain_id, row.vendor_id, [sku]),
  ]);
  if (!offer) throw new Failure('item_not_found', `The store has no product with the SKU ${sku}.`);
  const { name, price } = offerOf(offer, vendor?.locale ?? '');
  return { sku, name, price: Number(price) };
}
