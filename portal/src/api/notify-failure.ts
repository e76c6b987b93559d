import { notifications } from '@mantine/notifications';
import { ApiError } from './api-error.ts';

/** Shows the server's error message, or the first field error if there is one. */
export function notifyFailure(error: unknown): void {
  const problem: ApiError['problem'] = error instanceof ApiError ? error.problem : {};
  const [first] = problem.errors ?? [];
  const message = first ? `${first.pointer.replace(/^\//, '')} ${first.message}` : (error as Error).message;
  notifications.show({
    title: problem.title ?? 'Something went wrong',
    message,
    color: 'red',
    withBorder: true,
    autoClose: 8000,
  });
}
