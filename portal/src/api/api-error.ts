import type { Problem } from '@aisle/contract/common';
import { currentLanguage } from '../messages/language.ts';
import { errorText } from '../messages/server-text.ts';

/** An error response from the server. The status is 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem> & Record<string, unknown>;
  constructor(status: number, problem: Partial<Problem> & Record<string, unknown>) {
    super(errorText(problem) ?? currentLanguage().t('api.unreachable'));
    this.status = status;
    this.problem = problem;
  }
}
