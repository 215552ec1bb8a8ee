/**
 * `service/client`: the typed client. `Service` has everything. To save bytes, create a `Connection` and only the needed areas
 * from it (`sessions(new Connection(options))`), so that a bundler drops the others.
 */
export { Service, type ListedOperation, type RequestOptions } from './service.ts';
export { Connection } from './connection.ts';
export type {
  CallOptions,
  Credential,
  Fetch,
  FetchInit,
  HttpResponse,
  LogDetails,
  Logger,
  ServiceOptions,
  Signal,
} from './options.ts';
export { Call, type Answer } from './call.ts';
export { List, type Page } from './list.ts';
export { AbortError, ConnectionFailed, ServiceError, UnknownOutcome } from './errors.ts';
export * from './generated/problems.ts';
export type { ProblemExtensions, ProblemSlug } from './generated/problem-types.ts';
export type * from './generated/types.ts';
export type { ExtractedBy, ExtractSchema } from './schema-data.ts';
export * from './generated/areas.ts';
export {
  agents,
  type AgentHandle,
  type AgentsArea,
  type MessageOptions,
  type TranscriptOptions,
} from './agents.ts';
export { profiles, type ProfilesArea } from './profiles.ts';
export {
  sessions,
  type ActionFields,
  type SessionActions,
  type SessionHandle,
  type SessionsArea,
} from './sessions.ts';
export {
  WebhookVerificationError,
  verifyWebhook,
  webhooks,
  type ReceivedWebhook,
  type WebhooksArea,
  type WebhookVerificationReason,
} from './webhooks.ts';
export { Turn, type TurnStep } from './turn.ts';
