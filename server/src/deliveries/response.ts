import type { Static } from 'typebox';
import type { Attempt, Delivery, DeliveryDetails } from '@aisle/contract/deliveries';
import type { Db } from '../kernel/database/db.ts';
import { pageOf } from '../kernel/http/page.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  findDelivery,
  findEventBody,
  listAttempts,
  listDeliveries,
  type Visible,
} from './queries.ts';
import { pingType } from './rules/attempt.ts';
import { messageHeaders } from './rules/message-headers.ts';
import { hidden } from './rules/remove-secrets.ts';
import { claimedTime, faultOf } from './rules/staged-fault.ts';
import { bodyOf } from './send-delivery.ts';

export function deliveryResponse(row: DeliveryRow): Static<typeof Delivery> {
  return {
    delivery_id: row.delivery_id,
    type: row.type as Static<typeof Delivery>['type'],
    status: row.status,
    vendor_id: row.vendor_id,
    order_id: row.order_id,
    job_id: row.job_id,
    attempt_count: row.attempt_count,
    last_outcome: row.last_outcome,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a delivery with its body and attempts. */
export async function findDeliveryDetails(
  db: Db,
  chainId: string,
  visible: Visible,
  deliveryId: string,
): Promise<Static<typeof DeliveryDetails> | undefined> {
  const row = await findDelivery(db, chainId, visible, deliveryId);
  return row && { ...deliveryResponse(row), ...(await findContent(db, row)) };
}

/** The body of a delivery and its attempts. */
export async function findContent(
  db: Db,
  row: DeliveryRow,
): Promise<Pick<Static<typeof DeliveryDetails>, 'body' | 'body_text' | 'attempts'>> {
  const { chain_id: chainId, delivery_id: deliveryId } = row;
  const attempts = await listAttempts(db, chainId, deliveryId);
  const body = await findEventBody(db, chainId, row.event_id ?? deliveryId);
  const isSendable = body !== null || row.type === pingType;
  return {
    body: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
    body_text: isSendable ? bodyOf({ ...row, body }) : null,
    attempts: attempts.map((attempt) => attemptResponse(row, attempt)),
  };
}

function attemptResponse(delivery: DeliveryRow, row: AttemptRow): Static<typeof Attempt> {
  // Responses to older attempts were stored with the secrets that they repeated.
  const answer = row.signature === null ? null : (row.answer?.toString('utf8') ?? null);
  const hasResponded = row.http_status !== null;
  return {
    attempt_no: row.attempt_no,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    outcome: row.outcome,
    http_status: row.http_status,
    environment: row.environment,
    url: row.url,
    request_headers: requestHeaders(delivery, row),
    response_headers: row.response_headers,
    response_body: hasResponded ? answer : null,
    response_body_truncated: row.is_answer_cut ?? false,
    // The name servers of the operator can know internal addresses, which are not for the chain.
    error: hasResponded || row.outcome === 'address_refused' ? null : answer,
    timings: {
      dns_ms: row.dns_ms,
      connect_ms: row.connect_ms,
      tls_ms: row.tls_ms,
      first_byte_ms: row.first_byte_ms,
    },
  };
}

function requestHeaders(delivery: DeliveryRow, row: AttemptRow): Record<string, string> | null {
  if (row.signature === null) return null;
  const { delivery_id, event_id, type } = delivery;
  return messageHeaders({
    messageId: event_id ?? delivery_id,
    type,
    environment: row.environment,
    at: claimedTime(row.started_at, faultOf(delivery, row.attempt_no)),
    signature: row.signature,
    userAgent: row.user_agent ?? '',
    authorization: row.is_authorized ? hidden : undefined,
  });
}

/** Lists all deliveries for an order, oldest first. */
export async function listOrderDeliveries(
  db: Db,
  chainId: string,
  orderId: string,
): Promise<Static<typeof Delivery>[]> {
  const rows = await listDeliveries(
    db,
    chainId,
    { vendorIds: null, types: null },
    { order_id: orderId },
    pageOf({ page_size: 500 }),
  );
  return rows.map(deliveryResponse).toReversed();
}
