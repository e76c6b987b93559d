import { ApiError } from '../api/api-error.ts';

type FailureMessage = {
  title: string;
  text: string;
  /** Whether the page retries automatically. */
  isTemporary: boolean;
};

/** The title and text of the error page. */
export function failureMessage(error: unknown): FailureMessage {
  if (!(error instanceof ApiError)) {
    return { title: 'Cannot show this page', text: messageOf(error), isTemporary: false };
  }
  const { status, message, problem } = error;
  if (status === 0) {
    const text = 'The server may be restarting, or this device may be offline. This page retries automatically.';
    return { title: 'Cannot reach the server', text, isTemporary: true };
  }
  if (status === 429) {
    const text = 'The rate limit was exceeded. This page retries automatically.';
    return { title: 'Too many requests', text, isTemporary: true };
  }
  if (status >= 500) return { title: 'Server error', text: message, isTemporary: status === 503 };
  if (status === 404) {
    const text = 'It may have been deleted, or it may belong to another chain.';
    return { title: problem.title ?? 'Not found', text, isTemporary: false };
  }
  return { title: problem.title ?? 'Cannot show this page', text: message, isTemporary: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
