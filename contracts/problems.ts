interface Problem<Status extends number = number> {
  readonly status: Status;
  readonly title: string;
  /** Default sentence of a refusal. */
  readonly detail: string;
}
const problem = <Status extends number>(status: Status, title: string, detail: string): Problem<Status> => ({
  status,
  title,
  detail,
});

/** The problem catalogue: every error for clients, by slug. */
export const problems = {
  'bad-request': problem(400, 'Bad request', 'The request cannot be carried out as it is.'),
  'validation-failed': problem(400, 'Validation failed', 'The request does not match its schema.'),
  unauthorized: problem(
    401,
    'Unauthorized',
    'A credential is needed, such as `Authorization: Bearer <API key>`.',
  ),
  'invalid-key': problem(401, 'Invalid API key', 'The credential is malformed or unknown.'),
  'revoked-key': problem(401, 'Revoked API key', 'The API key was revoked.'),
  'expired-key': problem(401, 'Expired API key', 'The API key has expired.'),
  'invalid-auth-token': problem(401, 'Invalid token', 'The token is malformed, used, replaced or expired.'),
  'email-not-verified': problem(
    401,
    'E-mail not verified',
    'The address of the account is not verified yet.',
  ),
  'invalid-credentials': problem(401, 'Invalid credentials', 'The address or the password is wrong.'),
  'bundled-llm-budget-exhausted': problem(
    402,
    'Bundled model budget exhausted',
    'The monthly budget of the bundled model is used up.',
  ),
  'bundled-llm-consent-required': problem(
    402,
    'Bundled model consent required',
    'The account has not consented to the bundled model.',
  ),
  forbidden: problem(403, 'Forbidden', 'The caller may not do this.'),
  'mfa-step-up-required': problem(
    403,
    'Fresh second factor required',
    'This needs a recent code of the second factor.',
  ),
  'legal-acceptance-required': problem(
    403,
    'Terms not accepted',
    'The current terms must be accepted first.',
  ),
  'not-found': problem(404, 'Not found', 'The resource does not exist, or the caller may not see it.'),
  'method-not-allowed': problem(405, 'Method not allowed', 'This path does not support the method.'),
  conflict: problem(409, 'Conflict', 'The state of the resource does not allow this.'),
  'profile-in-use': problem(409, 'Profile in use', 'The profile is in use by another session.'),
  'storage-quota-exceeded': problem(
    409,
    'Storage quota exceeded',
    'The stored profiles of the account use all the storage of its tier.',
  ),
  'pair-mode-conflict': problem(
    409,
    'Pair mode conflict',
    'Another client has the controls, or has asked for them.',
  ),
  'pair-mode-invalid-transition': problem(
    409,
    'Pair mode transition refused',
    'This change of control is not possible in the present state.',
  ),
  'email-already-registered': problem(
    409,
    'E-mail already registered',
    'An account with this address already exists.',
  ),
  'session-destroyed': problem(410, 'Session destroyed', 'The session has ended.'),
  'proxy-validation-failed': problem(
    422,
    'Proxy validation failed',
    'The service could not connect through the proxy.',
  ),
  'concurrency-limit': problem(
    429,
    'Concurrent session limit reached',
    'All concurrent sessions of the account are in use.',
  ),
  'tier-limit': problem(429, 'Tier limit reached', "The limit of the account's tier is reached."),
  'rate-limited': problem(429, 'Rate limited', 'There were too many requests. Try again later.'),
  'headers-too-large': problem(431, 'Request headers too large', 'The headers of the request are too large.'),
  internal: problem(500, 'Internal error', 'The request failed because of an internal error.'),
  'byok-llm-required': problem(
    502,
    'Model provider key required',
    'There is no usable key of the model provider.',
  ),
  'driver-error': problem(502, 'Browser operation failed', 'The browser operation failed.'),
  'driver-not-integrated': problem(
    503,
    'Browser driver unavailable',
    'The browser runtime does not support this operation.',
  ),
  'feature-unavailable': problem(503, 'Feature unavailable', 'This is not available on this deployment.'),
  'payments-unavailable': problem(
    503,
    'Payment processor unavailable',
    'The payment processor cannot be reached.',
  ),
  'model-unavailable': problem(503, 'Model provider unavailable', 'The model provider cannot be reached.'),
  'session-timeout': problem(
    504,
    'Session operation timed out',
    'The operation did not end within its timeout.',
  ),
} as const satisfies Record<string, Problem>;

export type ProblemSlug = keyof typeof problems;

/** A refusal, thrown by rules and adapters, and turned into problem+json in one place. */
export class Refusal extends Error {
  readonly slug: ProblemSlug;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(slug: ProblemSlug, detail?: string, extensions: Record<string, unknown> = {}) {
    // Refusals are answers, not faults: no stack trace, which would dominate their cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail ?? problems[slug].detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.slug = slug;
    this.extensions = extensions;
  }
}

export const refuse = (slug: ProblemSlug, detail?: string, extensions?: Record<string, unknown>): Refusal =>
  new Refusal(slug, detail, extensions);

/** A refusal whose reason passes by itself. It is not stored under an `Idempotency-Key` if the request had no effect. */
export class TransientRefusal extends Refusal {}

export const refuseForNow = (
  slug: ProblemSlug,
  detail: string,
  extensions?: Record<string, unknown>,
): TransientRefusal => new TransientRefusal(slug, detail, extensions);
