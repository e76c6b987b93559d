import { ApiError } from '../api/api-error.ts';

type Words = {
  title: string;
  text: string;
  /** It may be over in a moment: the page tries again by itself. */
  isPassing: boolean;
};

/** Why a page cannot be shown, for somebody who wants to go on working. */
export function failureMessage(error: unknown): Words {
  if (!(error instanceof ApiError)) {
    return { title: 'This page could not be shown', text: messageOf(error), isPassing: false };
  }
  const { status, message, problem } = error;
  if (status === 0) {
    const text = 'It may be restarting, or this device is offline. The page comes back by itself.';
    return { title: 'The server cannot be reached', text, isPassing: true };
  }
  if (status === 429) {
    const text = 'The server takes only so many at a time. The page comes back by itself in a moment.';
    return { title: 'Too many requests just now', text, isPassing: true };
  }
  if (status >= 500) return { title: 'The server has a problem', text: message, isPassing: status === 503 };
  if (status === 404) {
    const text = 'It may have been deleted, or the address was cut off. Another chain’s is never shown.';
    return { title: problem.title ?? 'There is nothing here', text, isPassing: false };
  }
  return { title: problem.title ?? 'This page could not be shown', text: message, isPassing: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
