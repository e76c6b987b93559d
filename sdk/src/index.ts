export { type AisleClient, createClient } from './client.ts';
export type { ConsumeOptions, ErrorDecision } from './consume-events.ts';
export type { Download } from './downloads.ts';
export {
  AisleError,
  ApiError,
  ConnectionError,
  isApiError,
  JobError,
  NotModifiedError,
  type ProblemWith,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export { closedReasons, scopes, unstoredStatuses } from './generated/constants.ts';
export type * from './generated/inputs.ts';
export type * from './generated/models.ts';
export type { OperationErrors, OperationId, Operations } from './generated/operations.ts';
export type {
  ApiResponse,
  DownloadOperation,
  FileBody,
  JobOperation,
  JobPromise,
  ListOperation,
  Operation,
  OperationRow,
} from './operation.ts';
export type { ClientOptions, Credentials, FinishedOptions, RequestOptions, Retry } from './options.ts';
export type { ProblemOf } from './problem-of.ts';
export type { CatalogPush, PushCounts, PushOptions, PushProgress } from './push-catalog.ts';
export {
  createSeenIds,
  type SeenIds,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookMessage,
  type WebhookPing,
  type WebhookProblem,
} from './webhooks.ts';
