import type { Problem } from '@aisle/contract/common';
import type { Role } from '@aisle/contract/route';
import { table } from 'virtual:contract-table';
import { currentLanguage } from '../messages/language.ts';
import { ApiError } from './api-error.ts';
import type { ResponseBody, Input, OperationId } from './operations.ts';

type QueryValues = Record<string, string | number | boolean | string[] | null | undefined>;
type Given = { params?: Record<string, string>; query?: QueryValues; body?: unknown };
type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal };

/** Calls an API operation with the session cookie. */
export async function call<Id extends OperationId>(
  chainId: string,
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<ResponseBody<Id>> {
  const given = input as Given;
  const isSent = given.body !== undefined;
  const response = await send(urlOf(id, { ...given.params, chain_id: chainId }, given.query), {
    method: table[id]?.method ?? 'GET',
    headers: { ...(isSent && { 'content-type': 'application/json' }), ...options.headers },
    ...(isSent && { body: JSON.stringify(given.body) }),
    ...(options.signal && { signal: options.signal }),
  });
  return (await response.json()) as ResponseBody<Id>;
}

/** The URL of an operation, for links and downloads. */
export function urlOf(id: OperationId, params: Record<string, string>, query: QueryValues = {}): string {
  const path = (table[id]?.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === '') return [];
    return [[name, [value].flat().join(',')]];
  });
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`;
}

/** Whether the server lets this role call the operation. */
export function mayCall(role: Role, id: OperationId): boolean {
  return table[id]?.roles.includes(role) ?? false;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, { credentials: 'same-origin', ...request }).catch(() => {
    throw new ApiError(0, {});
  });
  if (response.ok) return response;
  const { status } = response;
  const problem = await response
    .json()
    .catch(() => ({ detail: currentLanguage().t('api.status', { status: String(status) }) }));
  throw new ApiError(status, problem as Partial<Problem>);
}
