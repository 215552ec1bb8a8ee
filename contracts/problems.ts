/**
 * The problem catalogue: every error a client can get, by the slug it dispatches on.
 * `headers` names the extension that is repeated as a response header.
 */
export const problems = {
  'bad-request': { status: 400, title: 'Bad request' },
  'validation-failed': { status: 400, title: 'Validation failed' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  'invalid-key': { status: 401, title: 'Invalid API key' },
  'revoked-key': { status: 401, title: 'Revoked API key' },
  'expired-key': { status: 401, title: 'Expired API key' },
  'invalid-auth-token': { status: 401, title: 'Invalid token' },
  'email-not-verified': { status: 401, title: 'E-mail not verified' },
  'invalid-credentials': { status: 401, title: 'Invalid credentials' },
  'bundled-llm-budget-exhausted': { status: 402, title: 'Bundled model budget exhausted' },
  'bundled-llm-consent-required': { status: 402, title: 'Bundled model consent required' },
  forbidden: { status: 403, title: 'Forbidden' },
  'mfa-step-up-required': { status: 403, title: 'Fresh second factor required' },
  'legal-acceptance-required': { status: 403, title: 'Terms not accepted' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  'profile-in-use': { status: 409, title: 'Profile in use' },
  'storage-quota-exceeded': { status: 409, title: 'Storage quota exceeded' },
  'pair-mode-conflict': { status: 409, title: 'Pair mode conflict' },
  'pair-mode-invalid-transition': { status: 409, title: 'Pair mode transition refused' },
  'email-already-registered': { status: 409, title: 'E-mail already registered' },
  'session-destroyed': { status: 410, title: 'Session destroyed' },
  'proxy-validation-failed': { status: 422, title: 'Proxy validation failed' },
  'concurrency-limit': { status: 429, title: 'Concurrent session limit reached' },
  'tier-limit': { status: 429, title: 'Tier limit reached' },
  'rate-limited': { status: 429, title: 'Rate limited' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  internal: { status: 500, title: 'Internal error' },
  'byok-llm-required': { status: 502, title: 'Model provider key required' },
  'driver-error': { status: 502, title: 'Browser operation failed' },
  'driver-not-integrated': { status: 503, title: 'Browser driver unavailable' },
  'feature-unavailable': { status: 503, title: 'Feature unavailable' },
  'payments-unavailable': { status: 503, title: 'Payment processor unavailable' },
  'model-unavailable': { status: 503, title: 'Model provider unavailable' },
  'session-timeout': { status: 504, title: 'Session operation timed out' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemSlug = keyof typeof problems;

/** A refusal on its way to the client: thrown by rules and adapters, turned into problem+json in one place. */
export class Refusal extends Error {
  readonly slug: ProblemSlug;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(slug: ProblemSlug, detail?: string, extensions: Record<string, unknown> = {}) {
    // An answer, and no fault: where it was made is of no use to anybody, and to find out takes longer than all else here.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail ?? problems[slug].title);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.slug = slug;
    this.extensions = extensions;
  }
}

export const refuse = (slug: ProblemSlug, detail?: string, extensions?: Record<string, unknown>): Refusal =>
  new Refusal(slug, detail, extensions);
