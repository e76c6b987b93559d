import { findDeliveryDetails } from '../deliveries/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { findRequest } from '../requests/index.ts';
import type { StepResult } from './queries.ts';
import type { Cause, Verdict } from './rules/check-step.ts';

/** The request that made a step fail, with everything that is known about it. */
export async function findFailedRequest(tx: Tx, chainId: string, verdict: Verdict): Promise<StepResult['request']> {
  if (verdict.status !== 'FAILED' || !verdict.cause) return null;
  const { cause } = verdict;
  return 'put' in cause ? describePut(tx, chainId, cause) : describeAttempt(tx, chainId, cause);
}

async function describePut(
  tx: Tx,
  chainId: string,
  { put: { request_id, received_at } }: Extract<Cause, { put: unknown }>,
): Promise<StepResult['request']> {
  const put = await findRequest(tx, chainId, null, request_id, received_at);
  if (!put) return null;
  const problems = (put.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  const error = put.error_code === null ? null : [`${put.error_code}: ${put.error_detail}`, ...problems].join('\n');
  return {
    direction: 'FROM_DEVICE',
    delivery_id: null,
    request_id,
    sent_at: received_at.toISOString(),
    method: put.method,
    url: put.path,
    headers: null,
    body: put.request_body,
    response_status: put.status,
    response_body: put.response_body,
    error,
  };
}

async function describeAttempt(
  tx: Tx,
  chainId: string,
  { deliveryId, attemptNo }: Extract<Cause, { deliveryId: string }>,
): Promise<StepResult['request']> {
  const delivery = await findDeliveryDetails(tx, chainId, { vendorIds: null, types: null }, deliveryId);
  const attempt = delivery?.attempts.find(({ attempt_no }) => attempt_no === attemptNo);
  if (!delivery || !attempt) return null;
  return {
    direction: 'TO_RECEIVER',
    delivery_id: deliveryId,
    request_id: null,
    sent_at: attempt.started_at,
    method: 'POST',
    url: attempt.url,
    headers: attempt.request_headers,
    body: delivery.body_text,
    response_status: attempt.http_status,
    response_body: attempt.response_body,
    error: attempt.error,
  };
}
