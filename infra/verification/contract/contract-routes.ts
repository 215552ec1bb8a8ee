/**
 * The routes that the contract names, by area; `{}` stands for any parameter. Additional ones are in
 * `docs/additions.md`.
 */
export const contractRoutes: Readonly<Record<string, readonly string[]>> = {
  sessions: [
    'POST /v1/sessions',
    'GET /v1/sessions',
    'GET /v1/sessions/{}',
    'DELETE /v1/sessions/{}',
    ...['navigate', 'interact', 'wait', 'capture', 'extract', 'search', 'login'].map(
      (operation) => `POST /v1/sessions/{}/${operation}`,
    ),
    'GET /v1/sessions/{}/state',
    'GET /v1/archetypes',
  ],
  'agent sessions': [
    'POST /v1/agent-sessions',
    'GET /v1/agent-sessions',
    'GET /v1/agent-sessions/{}',
    'DELETE /v1/agent-sessions/{}',
    ...['message', 'video-token', 'mode', 'input-event', 'takeover', 'handback', 'resume'].map(
      (verb) => `POST /v1/agent-sessions/{}/${verb}`,
    ),
    ...['transcript', 'gui-control-key', 'recipe-suggestion'].map(
      (part) => `GET /v1/agent-sessions/{}/${part}`,
    ),
  ],
  'live sessions': [
    ...['page-state', 'cookies', 'downloads', 'downloads/content'].map(
      (part) => `GET /v1/agent-sessions/{}/${part}`,
    ),
    ...['cookies/set', 'history', 'files'].map((verb) => `POST /v1/agent-sessions/{}/${verb}`),
  ],
  profiles: [
    'POST /v1/profiles',
    'GET /v1/profiles',
    'GET /v1/profiles/trash',
    'GET /v1/profiles/{}',
    'PATCH /v1/profiles/{}',
    'DELETE /v1/profiles/{}',
    'DELETE /v1/profiles/{}/purge',
    'POST /v1/profiles/import',
    ...['restore', 'clone', 'launch', 'export', 'transfer', 'trim', 'snapshots'].map(
      (verb) => `POST /v1/profiles/{}/${verb}`,
    ),
    'GET /v1/profiles/{}/snapshots',
    'GET /v1/profile-snapshots',
    'POST /v1/profile-snapshots/{}/restore',
    'DELETE /v1/profile-snapshots/{}',
  ],
  'API keys': [
    'POST /v1/api-keys',
    'GET /v1/api-keys',
    'POST /v1/api-keys/{}/rotate',
    'DELETE /v1/api-keys/{}',
  ],
  webhooks: [
    'POST /v1/webhooks',
    'GET /v1/webhooks',
    'GET /v1/webhooks/{}',
    'PATCH /v1/webhooks/{}',
    'DELETE /v1/webhooks/{}',
    'POST /v1/webhooks/{}/rotate-secret',
    'POST /v1/webhooks/{}/test',
    'GET /v1/webhooks/{}/deliveries',
    'POST /v1/webhook-deliveries/{}/replay',
  ],
  account: [
    'GET /v1/account/me',
    'GET /v1/account/me/organization',
    'PUT /v1/account/me/organization',
    'GET /v1/account/audit-log',
    'GET /v1/account/audit-log/export',
    'GET /v1/account/email-preferences',
    'PUT /v1/account/email-preferences',
    'GET /v1/account/rate-limits',
    'GET /v1/account/me/byok-llm-key',
    'PUT /v1/account/me/byok-llm-key',
    'DELETE /v1/account/me/byok-llm-key',
    'POST /v1/account/me/byok-llm-key/test',
    'GET /v1/account/me/bundled-llm-settings',
    'PATCH /v1/account/me/bundled-llm-settings',
    'GET /v1/account/me/bundled-llm-status',
    'GET /v1/account/me/proxies',
    'GET /v1/usage',
    'GET /v1/usage/series',
  ],
  team: [
    'POST /v1/team/invites',
    'GET /v1/team/invites',
    'POST /v1/team/invites/accept',
    'GET /v1/team/members',
    'DELETE /v1/team/members/{}',
    'GET /v1/team/owners',
  ],
  recipes: ['POST /v1/recipes', 'GET /v1/recipes', 'GET /v1/recipes/{}', 'DELETE /v1/recipes/{}'],
  cards: ['GET /v1/billing', 'POST /v1/billing/checkout-session', 'POST /v1/billing/portal-session'],
  crypto: [
    'POST /v1/billing/crypto-checkout',
    'POST /v1/billing/crypto-checkout/quote',
    'GET /v1/billing/crypto-orders',
    'GET /v1/billing/crypto-orders/{}',
    'PATCH /v1/billing/crypto-orders/{}',
    'POST /v1/billing/crypto-orders/{}/cancel',
    ...['receipt', 'receipt.txt', 'receipt.pdf'].map((form) => `GET /v1/billing/crypto-orders/{}/${form}`),
  ],
  status: [
    'GET /v1/status',
    'GET /v1/status/stream',
    'GET /v1/status/sla',
    'POST /v1/status/subscribe',
    'GET /v1/status/subscribe/confirm',
    'GET /v1/status/subscribe/unsubscribe',
  ],
  'signing in': [
    ...['signup', 'login', 'logout', 'verify-email', 'refresh', 'mfa/step-up'].map(
      (verb) => `POST /v1/auth/${verb}`,
    ),
    ...['magic-link', 'password-reset'].flatMap((means) =>
      [`request`, means === 'magic-link' ? 'consume' : 'confirm'].map(
        (step) => `POST /v1/auth/${means}/${step}`,
      ),
    ),
    'POST /v1/legal/accept',
  ],
};
