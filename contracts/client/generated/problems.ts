// Written by `npm run docs` from the routes and their schemas. Do not edit.

import { ServiceError } from '../errors.ts';
import type * as t from './types.ts';

/** 400 `bad-request`: Bad request. */
export class BadRequest extends ServiceError {
  declare readonly slug: 'bad-request';
  /** Only at the OAuth endpoints (RFC 6749, 5.2; RFC 8628, 3.5). */
  declare readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "unsupported_grant_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | undefined;
}
/** 400 `validation-failed`: Validation failed. */
export class ValidationFailed extends ServiceError {
  declare readonly slug: 'validation-failed';
  /** Only at the OAuth endpoints (RFC 6749, 5.2; RFC 8628, 3.5). */
  declare readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "unsupported_grant_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | undefined;
  declare readonly errors: ({
    /** JSON pointer into the request: `/body/action/kind`, `/query/limit`. */
    path: string;
    /** The kind of rule that failed: a JSON Schema keyword, `text`, `depth` … */
    code: string;
    /** A sentence that names the field and says what it must be. */
    message: string;
  })[];
}
/** 401 `unauthorized`: Unauthorized. */
export class Unauthorized extends ServiceError {
  declare readonly slug: 'unauthorized';
}
/** 401 `invalid-key`: Invalid API key. */
export class InvalidKey extends ServiceError {
  declare readonly slug: 'invalid-key';
}
/** 401 `revoked-key`: Revoked API key. */
export class RevokedKey extends ServiceError {
  declare readonly slug: 'revoked-key';
}
/** 401 `expired-key`: Expired API key. */
export class ExpiredKey extends ServiceError {
  declare readonly slug: 'expired-key';
}
/** 401 `invalid-auth-token`: Invalid token. */
export class InvalidAuthToken extends ServiceError {
  declare readonly slug: 'invalid-auth-token';
}
/** 401 `email-not-verified`: E-mail not verified. */
export class EmailNotVerified extends ServiceError {
  declare readonly slug: 'email-not-verified';
}
/** 401 `invalid-credentials`: Invalid credentials. */
export class InvalidCredentials extends ServiceError {
  declare readonly slug: 'invalid-credentials';
}
/** 402 `bundled-llm-budget-exhausted`: Bundled model budget exhausted. */
export class BundledLlmBudgetExhausted extends ServiceError {
  declare readonly slug: 'bundled-llm-budget-exhausted';
  declare readonly spentCents: number;
  declare readonly capCents: number;
}
/** 402 `bundled-llm-consent-required`: Bundled model consent required. */
export class BundledLlmConsentRequired extends ServiceError {
  declare readonly slug: 'bundled-llm-consent-required';
}
/** 403 `forbidden`: Forbidden. */
export class Forbidden extends ServiceError {
  declare readonly slug: 'forbidden';
}
/** 403 `mfa-step-up-required`: Fresh second factor required. */
export class MfaStepUpRequired extends ServiceError {
  declare readonly slug: 'mfa-step-up-required';
  declare readonly requiresMfaStepUp: true;
}
/** 403 `legal-acceptance-required`: Terms not accepted. */
export class LegalAcceptanceRequired extends ServiceError {
  declare readonly slug: 'legal-acceptance-required';
}
/** 404 `not-found`: Not found. */
export class NotFound extends ServiceError {
  declare readonly slug: 'not-found';
}
/** 405 `method-not-allowed`: Method not allowed. */
export class MethodNotAllowed extends ServiceError {
  declare readonly slug: 'method-not-allowed';
}
/** 409 `conflict`: Conflict. */
export class Conflict extends ServiceError {
  declare readonly slug: 'conflict';
  /** The running replay, if the endpoint already has one. */
  declare readonly activeReplayId: string | undefined;
  /** The same as `Retry-After`, while the first request with this `Idempotency-Key` is not answered. */
  declare readonly retryAfterSeconds: number | undefined;
  /** The agent session that uses the driver session. */
  declare readonly agentSessionId: string | undefined;
  /** Status of the agent session, if it is not active. */
  declare readonly agentSessionStatus: "paused" | "closed" | undefined;
  /** The driver session that has ended. */
  declare readonly serviceSessionId: string | undefined;
  /** Only of messages: the agent does not have, or has lost, the controls. */
  declare readonly aiControlUnavailable: true | undefined;
  /** Phase of the turn that runs, or that was interrupted. */
  declare readonly phase: "admitted" | "decomposing" | "executing" | "settling" | undefined;
  /** Tokens that the interrupted turn used. */
  declare readonly tokensConsumed: number | undefined;
  /** What the interrupted turn used. */
  declare readonly usage: t.AgentUsage | undefined;
  /** What the interrupted turn has done. It is not undone, and not repeated. */
  declare readonly partialResults: (t.IntentResult)[] | undefined;
}
/** 409 `profile-in-use`: Profile in use. */
export class ProfileInUse extends ServiceError {
  declare readonly slug: 'profile-in-use';
  declare readonly activeSessionId: string;
}
/** 409 `storage-quota-exceeded`: Storage quota exceeded. */
export class StorageQuotaExceeded extends ServiceError {
  declare readonly slug: 'storage-quota-exceeded';
  declare readonly usedBytes: number | undefined;
  declare readonly capBytes: number | undefined;
  declare readonly tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise" | undefined;
}
/** 409 `pair-mode-conflict`: Pair mode conflict. */
export class PairModeConflict extends ServiceError {
  declare readonly slug: 'pair-mode-conflict';
  declare readonly winnerClientId: string | undefined;
}
/** 409 `pair-mode-invalid-transition`: Pair mode transition refused. */
export class PairModeInvalidTransition extends ServiceError {
  declare readonly slug: 'pair-mode-invalid-transition';
  declare readonly from: string | undefined;
  declare readonly transition: string | undefined;
}
/** 409 `email-already-registered`: E-mail already registered. */
export class EmailAlreadyRegistered extends ServiceError {
  declare readonly slug: 'email-already-registered';
}
/** 410 `session-destroyed`: Session destroyed. */
export class SessionDestroyed extends ServiceError {
  declare readonly slug: 'session-destroyed';
}
/** 422 `proxy-validation-failed`: Proxy validation failed. */
export class ProxyValidationFailed extends ServiceError {
  declare readonly slug: 'proxy-validation-failed';
  declare readonly reason: "unreachable" | "auth_failed" | "timeout" | "egress_blocked" | undefined;
}
/** 429 `concurrency-limit`: Concurrent session limit reached. */
export class ConcurrencyLimit extends ServiceError {
  declare readonly slug: 'concurrency-limit';
  declare readonly currentSessions: number;
  declare readonly limit: number;
}
/** 429 `tier-limit`: Tier limit reached. */
export class TierLimit extends ServiceError {
  declare readonly slug: 'tier-limit';
  /** The limit, of some resources. */
  declare readonly limit: number | undefined;
}
/** 429 `rate-limited`: Rate limited. */
export class RateLimited extends ServiceError {
  declare readonly slug: 'rate-limited';
  /** The same as `Retry-After`. */
  declare readonly retryAfterSeconds: number;
}
/** 431 `headers-too-large`: Request headers too large. */
export class HeadersTooLarge extends ServiceError {
  declare readonly slug: 'headers-too-large';
}
/** 500 `internal`: Internal error. */
export class Internal extends ServiceError {
  declare protected readonly isInternal: true;
}
/** 502 `byok-llm-required`: Model provider key required. */
export class ByokLlmRequired extends ServiceError {
  declare readonly slug: 'byok-llm-required';
  /** The provider does not accept the key, has no credit for it, or does not offer the model to it. Absent if there is no key. */
  declare readonly reason: "rejected" | undefined;
}
/** 502 `driver-error`: Browser operation failed. */
export class DriverError extends ServiceError {
  declare readonly slug: 'driver-error';
  /** What failed on the page. Absent when the browser failed. */
  declare readonly category: "element_not_found" | "page_load_failed" | "condition_not_met" | "capture_failed" | "scroll_failed" | "session_error" | "invalid_request" | "result_too_large" | "unknown" | undefined;
}
/** 503 `driver-not-integrated`: Browser driver unavailable. */
export class DriverNotIntegrated extends ServiceError {
  declare readonly slug: 'driver-not-integrated';
}
/** 503 `feature-unavailable`: Feature unavailable. */
export class FeatureUnavailable extends ServiceError {
  declare readonly slug: 'feature-unavailable';
  /** The same as `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
}
/** 503 `payments-unavailable`: Payment processor unavailable. */
export class PaymentsUnavailable extends ServiceError {
  declare readonly slug: 'payments-unavailable';
  /** The same as `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
}
/** 503 `model-unavailable`: Model provider unavailable. */
export class ModelUnavailable extends ServiceError {
  declare readonly slug: 'model-unavailable';
  /** The same as `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined;
}
/** 504 `session-timeout`: Session operation timed out. */
export class SessionTimeout extends ServiceError {
  declare readonly slug: 'session-timeout';
}

/** The class of each problem, by its slug in Pascal case. */
const classes: Readonly<Record<string, typeof ServiceError>> = { BadRequest, ValidationFailed, Unauthorized, InvalidKey, RevokedKey, ExpiredKey, InvalidAuthToken, EmailNotVerified, InvalidCredentials, BundledLlmBudgetExhausted, BundledLlmConsentRequired, Forbidden, MfaStepUpRequired, LegalAcceptanceRequired, NotFound, MethodNotAllowed, Conflict, ProfileInUse, StorageQuotaExceeded, PairModeConflict, PairModeInvalidTransition, EmailAlreadyRegistered, SessionDestroyed, ProxyValidationFailed, ConcurrencyLimit, TierLimit, RateLimited, HeadersTooLarge, Internal, ByokLlmRequired, DriverError, DriverNotIntegrated, FeatureUnavailable, PaymentsUnavailable, ModelUnavailable, SessionTimeout };

/** The class of a problem and its name; undefined if the problem is unknown. */
export function problemClass(slug: string): { name: string; Problem: typeof ServiceError } | undefined {
  const name = slug.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  const Problem = Object.hasOwn(classes, name) ? classes[name] : undefined;
  return Problem && { name, Problem };
}
