import { maxRecordedBytes, type LoggedRequest, type RequestDetails } from '@aisle/contract/requests';
import type { Static } from 'typebox';
import type { RequestDetailsRow, RequestRow } from './queries.ts';

/** `hasData` tells whether the caller can see the query string. */
export function requestResponse(row: RequestRow, hasData: boolean): Static<typeof LoggedRequest> {
  return {
    request_id: row.request_id,
    received_at: row.received_at.toISOString(),
    method: row.method,
    path: row.path,
    query: hasData ? row.query : null,
    status: row.status,
    // A `real` has 24 bits of precision: 4.2 is read back as 4.199999809.
    duration_ms: Math.round(row.duration_ms * 10) / 10,
    caller: { kind: row.caller_kind, id: row.caller_id, name: row.caller_name },
    vendor_id: row.vendor_id,
    order_id: row.order_id,
    error_code: row.error_code,
    error_detail: row.error_detail,
    idempotency: row.idempotency,
    aborted: row.is_aborted,
    streamed: row.is_streamed,
    ignored_parameters: namesOf(row.ignored_parameters),
    ignored_fields: namesOf(row.ignored_fields),
  };
}

/** `hasData` tells whether the caller can see the query string and the bodies. */
export function requestDetailsResponse(row: RequestDetailsRow, hasData: boolean): Static<typeof RequestDetails> {
  return {
    ...requestResponse(row, hasData),
    errors: row.errors ?? [],
    request_body: hasData ? bodyOf(row.request_body, row.request_bytes) : null,
    response_body: hasData ? bodyOf(row.response_body, row.response_bytes) : null,
  };
}

/** Decodes the percent-encoded names in a header value. */
function namesOf(header: string | null): string[] {
  return header === null ? [] : header.split(', ').map(decodeURIComponent);
}

function bodyOf(text: string | null, bytes: number | null) {
  return text === null || bytes === null ? null : { text, bytes, truncated: bytes > maxRecordedBytes };
}
