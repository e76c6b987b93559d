import { isRoleAllowed, type Role } from '@aisle/contract/route';
import { partnerOperations } from '@aisle/sdk/operations';
import {
  ApiError as ResponseError,
  type ApiResponse,
  createRequester,
  pathOf,
  UnexpectedResponseError,
} from '@aisle/sdk/request';
import { currentLanguage } from '../messages/language.ts';
import { ApiError } from './api-error.ts';
import type { ResponseBody, Input, OperationId } from './operations.ts';

type QueryValues = Record<string, string | number | boolean | string[] | null | undefined>;
type Given = { params?: Record<string, string>; query?: QueryValues; body?: unknown };
type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal; idempotencyKey?: string };

/** The browser sends the session cookie. Queries and the picking app repeat requests themselves. */
const { request } = createRequester({ baseUrl: '', session: true, retries: 0, timeoutMs: 60_000 });

/** Calls an API operation with the session cookie. */
export async function call<Id extends OperationId>(
  chainId: string,
  id: Id,
  input: Input<Id>,
  options: CallOptions = {},
): Promise<ResponseBody<Id>> {
  const { params, query = {}, body } = input as Given;
  const given = { params: { ...params, chain_id: chainId }, query: withoutEmpty(query), body };
  const response = await request(partnerOperations[id], given, options).catch((error: unknown) => {
    throw shownError(error);
  });
  return (response as ApiResponse<ResponseBody<Id>>).data;
}

/** The URL of an operation, for links and downloads. */
export function urlOf(id: OperationId, params: Record<string, string>, query: QueryValues = {}): string {
  return pathOf(partnerOperations[id], params, withoutEmpty(query));
}

/** Whether the server lets this role call the operation. */
export function mayCall(role: Role, id: OperationId): boolean {
  return isRoleAllowed(role, partnerOperations[id]);
}

/** An empty field of a form filters by nothing. */
export function withoutEmpty(query: QueryValues): QueryValues {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

export function shownError(error: unknown): ApiError {
  if (error instanceof ResponseError) return new ApiError(error.status, { ...error.problem });
  if (!(error instanceof UnexpectedResponseError)) return new ApiError(0, {});
  const detail = currentLanguage().t('api.status', { status: String(error.status) });
  return new ApiError(error.status, { detail });
}
