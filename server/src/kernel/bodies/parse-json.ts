import { Failure } from '../failures/failure.ts';

export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw emptyBody();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure('invalid_request', `The body is not valid JSON${reasonOf((error as Error).message)}.`, {
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

/** The reason without the part of the body that the message quotes, because failures are logged. */
function reasonOf(message: string): string {
  const reason = message.split(/, (?:"|\.\.\.)/)[0] ?? '';
  return reason.startsWith('"') ? '' : `: ${reason}`;
}
