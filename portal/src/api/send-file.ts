import { currentLanguage } from '../messages/language.ts';
import { ApiError } from './api-error.ts';
import { urlOf } from './call.ts';
import type { ResponseBody } from './operations.ts';

type Sending = { signal: AbortSignal; onProgress(share: number): void };

/** Uploads a file. Uses XMLHttpRequest, because fetch does not report the progress of an upload. */
export function sendFile(
  chainId: string,
  { folder, file, isPreview }: { folder: string; file: File; isPreview: boolean },
  { signal, onProgress }: Sending,
): Promise<ResponseBody<'uploadFile'>> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseBody<'uploadFile'>>();
  const { t } = currentLanguage();
  const request = new XMLHttpRequest();
  request.open(
    'POST',
    urlOf('uploadFile', { chain_id: chainId }, { folder, name: file.name, ...(isPreview && { dry_run: true }) }),
  );
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
  request.addEventListener('load', () => {
    const body = readJson(request.responseText);
    if (request.status < 300) resolve(body as ResponseBody<'uploadFile'>);
    else reject(new ApiError(request.status, body ?? { detail: t('api.status', { status: String(request.status) }) }));
  });
  request.addEventListener('error', () => reject(new ApiError(0, { detail: t('api.connectionLost') })));
  request.addEventListener('abort', () => reject(new Error(t('api.cancelled'))));
  signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}

function readJson(text: string): ApiError['problem'] | undefined {
  try {
    return JSON.parse(text) as ApiError['problem'];
  } catch {
    return undefined;
  }
}
