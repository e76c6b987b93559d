export { partnerOperations } from './generated/partner-operations.ts';
export { platformOperations } from './generated/platform-operations.ts';
export type { OperationErrors, OperationId, Operations } from './generated/operations.ts';
