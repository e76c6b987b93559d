import { ApiError } from '../api/api-error.ts';
import type { Translate } from '../messages/catalogue.ts';
import { errorTitle } from '../messages/server-text.ts';

type FailureMessage = {
  title: string;
  text: string;
  /** Whether the page retries automatically. */
  isTemporary: boolean;
};

/** The title and text of the error page. */
export function failureMessage(t: Translate, error: unknown): FailureMessage {
  if (!(error instanceof ApiError)) {
    return { title: t('failure.page'), text: messageOf(error), isTemporary: false };
  }
  const { status, message, problem } = error;
  if (status === 0) {
    const text = t('failure.unreachableHelp');
    return { title: t('failure.unreachable'), text, isTemporary: true };
  }
  if (status === 429) {
    const text = t('failure.rateLimitHelp');
    return { title: t('failure.rateLimit'), text, isTemporary: true };
  }
  if (status >= 500) return { title: t('failure.server'), text: message, isTemporary: status === 503 };
  if (status === 404) {
    const text = t('failure.notFoundHelp');
    return { title: errorTitle(problem) ?? t('failure.notFound'), text, isTemporary: false };
  }
  return { title: errorTitle(problem) ?? t('failure.page'), text: message, isTemporary: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
