import type { ProblemWith } from './errors.ts';
import type { OperationErrors, OperationId } from './generated/operations.ts';

/** The problems that an operation can return: a union that `code` discriminates. */
export type ProblemOf<Id extends OperationId> = ProblemWith<OperationErrors[Id]>;
