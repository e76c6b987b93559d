import { notifications } from '@mantine/notifications';
import { currentLanguage } from '../messages/language.ts';
import { errorTitle, problemText } from '../messages/server-text.ts';
import { ApiError } from './api-error.ts';

export function notifyFailure(error: unknown): void {
  // The sign-in page says that the session has ended.
  if (error instanceof ApiError && error.problem.code === 'invalid_token') return;
  notifications.show({ ...describeFailure(error), color: 'red', withBorder: true, autoClose: 8000 });
}

/** The error message, or the first field error if there is one. */
export function describeFailure(error: unknown): { title: string; message: string } {
  const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {};
  const [first] = problem.errors ?? [];
  const message = first
    ? problemText(first.code, `${first.pointer.replace(/^\//, '')} ${first.message}`)
    : (error as Error).message;
  return { title: errorTitle(problem) ?? currentLanguage().t('api.failed'), message };
}
