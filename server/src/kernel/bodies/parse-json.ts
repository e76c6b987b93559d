import { Failure } from '../failures/failure.ts';

export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw emptyBody();
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/^JSON\.parse: /, '').split(', "')[0];
    throw new Failure('invalid_request', `The body is not valid JSON: ${reason}.`, {
      errors: [{ pointer: '', code: 'malformed_json', message: 'is not valid JSON' }],
    });
  }
}

export function emptyBody(): Failure {
  return new Failure('invalid_request', 'The body is empty; send JSON with Content-Type: application/json.', {
    errors: [{ pointer: '', code: 'malformed_json', message: 'is empty' }],
  });
}

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('invalid_request', 'The body is not valid UTF-8.', {
      errors: [{ pointer: '', code: 'malformed_utf8', message: 'is not valid UTF-8' }],
    });
  }
}
