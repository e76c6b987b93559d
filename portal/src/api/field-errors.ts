import { problemText } from '../messages/server-text.ts';
import { ApiError } from './api-error.ts';

/**
 * The errors in a response by form field, if the form has a field for each of them. Otherwise undefined, because an
 * error without a field would not be shown.
 */
export function fieldErrorsOf(error: unknown, fields: readonly string[]): Record<string, string> | undefined {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  const byField = errors.map(
    ({ pointer, code, message }) => [pointer.replace(/^\//, ''), sentence(problemText(code, message))] as const,
  );
  if (byField.length === 0 || byField.some(([field]) => !fields.includes(field))) return undefined;
  return Object.fromEntries(byField);
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
