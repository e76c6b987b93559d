import type { Problem } from '@aisle/contract/common';

/** A failure as the server tells it. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem> & Record<string, unknown>;
  constructor(status: number, problem: Partial<Problem> & Record<string, unknown>) {
    super(problem.detail ?? 'The server cannot be reached.');
    this.status = status;
    this.problem = problem;
  }
}
