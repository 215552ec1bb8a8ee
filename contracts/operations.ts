import { Type, closed, oneOf, type Static } from './schema.ts';

/** The operations of a session, by their names in `session.failed`. */
export const operations = [
  'navigate',
  'interact',
  'wait',
  'state_capture',
  'capture',
  'extract',
  'search',
  'login',
] as const;
export type Operation = (typeof operations)[number];

/** `session.failed` names these too: `gui_input` from live input, `unknown` when no operation was running. */
export const failedOperations = [...operations, 'gui_input', 'unknown'] as const;

export const failureCategories = [
  'element_not_found',
  'page_load_failed',
  'condition_not_met',
  'capture_failed',
  'scroll_failed',
  'session_error',
  'invalid_request',
  'result_too_large',
  'unknown',
] as const;
export type FailureCategory = (typeof failureCategories)[number];

/** Fixed texts: a failed session's message never contains data of the page or the customer. */
export const sessionErrors = {
  SessionTimeoutError: 'The session operation timed out.',
  DriverError: 'The browser operation failed.',
  DriverNotIntegratedError: 'The browser driver was unavailable.',
  UnknownError: 'The session operation failed.',
} as const;
export type SessionErrorName = keyof typeof sessionErrors;
export const sessionErrorNames = Object.keys(sessionErrors) as [SessionErrorName, ...SessionErrorName[]];

/** A session's egress as its node detected it; every report is an event and, later, a webhook. */
export const EgressCapabilities = closed({
  udp_associate: Type.Boolean(),
  /** True if a proxy resolves host names; false for those that the node checks and resolves itself. */
  dns_remote_resolve: Type.Boolean(),
  quic_route: Type.String({ maxLength: 100 }),
  warnings: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
});
export type EgressCapabilities = Static<typeof EgressCapabilities>;
/** A warning of the service: the account's saved profiles exceed the soft cap of its tier. */
export const storageWarning = 'storage_quota_exceeded';

export const OperationName = oneOf(operations);
