import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error.ts';

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'aisle', withBorder: true });
}

/** What went wrong, in the server's words, with the first fields it complains about. */
export function notifyFailure(error: unknown): void {
  const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {};
  const [first] = problem.errors ?? [];
  const message = first ? `${first.pointer.replace(/^\//, '')} ${first.message}` : (error as Error).message;
  notifications.show({
    title: problem.title ?? 'That did not work',
    message,
    color: 'red',
    withBorder: true,
    autoClose: 8000,
  });
}
