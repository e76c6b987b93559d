import { ApiError, NotModifiedError, UnexpectedResponseError } from './errors.ts';
import type { Problem } from './generated/models.ts';
import type { ApiResponse } from './operation.ts';

/** More of an error is not read: a page of a proxy can be endless. */
const maxErrorBytes = 1024 * 1024;
/** Twice what a server sends at once by default. A longer response would fill the memory of the program. */
const maxBytes = 256 * 1024 * 1024;

export async function readJson(response: Response): Promise<ApiResponse<unknown>> {
  const { status, headers } = response;
  const { text, isCut } = await readText(response, maxBytes);
  if (isCut) throw new UnexpectedResponseError(status, headers, `it has more than ${maxBytes} bytes`);
  return { status, headers, requestId: headers.get('x-request-id') ?? undefined, data: parsed(text, response) };
}

/** Throws the error that an unsuccessful response contains. `url` is the address of the request. */
export async function checked(response: Response, url: string): Promise<Response> {
  const { ok, status, headers } = response;
  if (ok) return response;
  if (status === 304) throw new NotModifiedError('The resource has not been modified.');
  const { text } = await readText(response, maxErrorBytes);
  if (isRedirect(response)) throw new UnexpectedResponseError(status, headers, redirectText(headers, url));
  const problem = problemIn(text);
  throw problem ? new ApiError(problem, status, headers) : new UnexpectedResponseError(status, headers, text);
}

function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(status, headers, text);
  }
}

/** The text, or its start if it has more bytes than this. */
async function readText({ body }: Response, max: number): Promise<{ text: string; isCut: boolean }> {
  if (!body) return { text: '', isCut: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes <= max; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  // Without waiting: the server may never end the response.
  reader.cancel().catch(() => {});
  return { text, isCut: true };
}

/** Browsers hide the status of a redirect. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Only the server is named, because the rest of an address can contain secrets. */
function redirectText(headers: Headers, url: string): string {
  const location = headers.get('location') ?? '';
  const target = URL.canParse(location, url) ? `redirects to ${new URL(location, url).origin}` : 'redirects';
  return `the server ${target}, which is not followed. Use the final address as baseUrl.`;
}

/** Fields that the caller reads have the right types, whatever has sent the response. */
function problemIn(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof body?.['code'] !== 'string' || typeof body['detail'] !== 'string') return undefined;
    if (!Array.isArray(body['errors'])) delete body['errors'];
    return body as unknown as Problem;
  } catch {
    return undefined;
  }
}
