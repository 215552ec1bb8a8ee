// Written by `npm run docs` from the routes and their schemas. Do not edit.

import type * as t from './types.ts';

export type ProblemSlug = 'bad-request' | 'validation-failed' | 'unauthorized' | 'invalid-key' | 'revoked-key' | 'expired-key' | 'invalid-auth-token' | 'email-not-verified' | 'invalid-credentials' | 'bundled-llm-budget-exhausted' | 'bundled-llm-consent-required' | 'forbidden' | 'mfa-step-up-required' | 'legal-acceptance-required' | 'not-found' | 'method-not-allowed' | 'conflict' | 'profile-in-use' | 'storage-quota-exceeded' | 'pair-mode-conflict' | 'pair-mode-invalid-transition' | 'email-already-registered' | 'session-destroyed' | 'proxy-validation-failed' | 'concurrency-limit' | 'tier-limit' | 'rate-limited' | 'headers-too-large' | 'internal' | 'byok-llm-required' | 'driver-error' | 'driver-not-integrated' | 'feature-unavailable' | 'payments-unavailable' | 'model-unavailable' | 'session-timeout';

/** Extension members of each problem, beyond those of RFC 9457. */
export interface ProblemExtensions {
  'bad-request': {
    /** Only at the OAuth endpoints (RFC 6749, 5.2; RFC 8628, 3.5). */
    readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "unsupported_grant_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | undefined;
  };
  'validation-failed': {
    /** Only at the OAuth endpoints (RFC 6749, 5.2; RFC 8628, 3.5). */
    readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "unsupported_grant_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | undefined;
    readonly errors: ({
      /** JSON pointer into the request: `/body/action/kind`, `/query/limit`. */
      path: string;
      /** The kind of rule that failed: a JSON Schema keyword, `text`, `depth` … */
      code: string;
      /** A sentence that names the field and says what it must be. */
      message: string;
    })[];
  };
  'unauthorized': unknown;
  'invalid-key': unknown;
  'revoked-key': unknown;
  'expired-key': unknown;
  'invalid-auth-token': unknown;
  'email-not-verified': unknown;
  'invalid-credentials': unknown;
  'bundled-llm-budget-exhausted': {
    readonly spentCents: number;
    readonly capCents: number;
  };
  'bundled-llm-consent-required': unknown;
  'forbidden': unknown;
  'mfa-step-up-required': {
    readonly requiresMfaStepUp: true;
  };
  'legal-acceptance-required': unknown;
  'not-found': unknown;
  'method-not-allowed': unknown;
  'conflict': {
    /** The running replay, if the endpoint already has one. */
    readonly activeReplayId: string | undefined;
    /** The same as `Retry-After`, while the first request with this `Idempotency-Key` is not answered. */
    readonly retryAfterSeconds: number | undefined;
    /** The agent session that uses the driver session. */
    readonly agentSessionId: string | undefined;
    /** Status of the agent session, if it is not active. */
    readonly agentSessionStatus: "paused" | "closed" | undefined;
    /** The driver session that has ended. */
    readonly serviceSessionId: string | undefined;
    /** Only of messages: the agent does not have, or has lost, the controls. */
    readonly aiControlUnavailable: true | undefined;
    /** Phase of the turn that runs, or that was interrupted. */
    readonly phase: "admitted" | "decomposing" | "executing" | "settling" | undefined;
    /** Tokens that the interrupted turn used. */
    readonly tokensConsumed: number | undefined;
    /** What the interrupted turn used. */
    readonly usage: t.AgentUsage | undefined;
    /** What the interrupted turn has done. It is not undone, and not repeated. */
    readonly partialResults: (t.IntentResult)[] | undefined;
  };
  'profile-in-use': {
    readonly activeSessionId: string;
  };
  'storage-quota-exceeded': {
    readonly usedBytes: number | undefined;
    readonly capBytes: number | undefined;
    readonly tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise" | undefined;
  };
  'pair-mode-conflict': {
    readonly winnerClientId: string | undefined;
  };
  'pair-mode-invalid-transition': {
    readonly from: string | undefined;
    readonly transition: string | undefined;
  };
  'email-already-registered': unknown;
  'session-destroyed': unknown;
  'proxy-validation-failed': {
    readonly reason: "unreachable" | "auth_failed" | "timeout" | "egress_blocked" | undefined;
  };
  'concurrency-limit': {
    readonly currentSessions: number;
    readonly limit: number;
  };
  'tier-limit': {
    /** The limit, of some resources. */
    readonly limit: number | undefined;
  };
  'rate-limited': {
    /** The same as `Retry-After`. */
    readonly retryAfterSeconds: number;
  };
  'headers-too-large': unknown;
  'internal': unknown;
  'byok-llm-required': {
    /** The provider does not accept the key, has no credit for it, or does not offer the model to it. Absent if there is no key. */
    readonly reason: "rejected" | undefined;
  };
  'driver-error': {
    /** What failed on the page. Absent when the browser failed. */
    readonly category: "element_not_found" | "page_load_failed" | "condition_not_met" | "capture_failed" | "scroll_failed" | "session_error" | "invalid_request" | "result_too_large" | "unknown" | undefined;
  };
  'driver-not-integrated': unknown;
  'feature-unavailable': {
    /** The same as `Retry-After`. */
    readonly retryAfterSeconds: number | undefined;
  };
  'payments-unavailable': {
    /** The same as `Retry-After`. */
    readonly retryAfterSeconds: number | undefined;
  };
  'model-unavailable': {
    /** The same as `Retry-After`. */
    readonly retryAfterSeconds: number | undefined;
  };
  'session-timeout': unknown;
}
