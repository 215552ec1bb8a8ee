// Written by `npm run docs` from the routes and their schemas. Do not edit.

// How the rows are read: `operationOf` in `../operation.ts`.
export const status = {
  'get': 'GET /v1/status',
  'stream': 'GET /v1/status/stream e',
  'sla': 'GET /v1/status/sla',
  'feed': 'GET /v1/status/feed.atom t',
  'subscribe': 'POST /v1/status/subscribe b',
  'confirm-page': 'GET /v1/status/subscribe/confirm t',
  'confirm': 'POST /v1/status/subscribe/confirm',
  'unsubscribe-page': 'GET /v1/status/subscribe/unsubscribe t',
  'unsubscribe': 'POST /v1/status/subscribe/unsubscribe',
} as const;

export const incidents = {
  'get': 'GET /v1/status/incidents/{id}',
  'past': 'GET /v1/status/incidents/{id}/history c',
} as const;

export const auth = {
  'signup': 'POST /v1/auth/signup b',
  'verify-email': 'POST /v1/auth/verify-email b',
  'verify-email.resend': 'POST /v1/auth/verify-email/resend b',
  'login': 'POST /v1/auth/login b',
  'logout': 'POST /v1/auth/logout b',
  'refresh': 'POST /v1/auth/refresh b',
  'magic-link.request': 'POST /v1/auth/magic-link/request b',
  'magic-link.consume': 'POST /v1/auth/magic-link/consume b',
  'password-reset.request': 'POST /v1/auth/password-reset/request b',
  'password-reset.confirm': 'POST /v1/auth/password-reset/confirm b',
  'merge.confirm': 'POST /v1/auth/merge/confirm b',
} as const;

export const archetypes = {
  'list': 'GET /v1/archetypes',
} as const;

export const sessions = {
  'create': 'POST /v1/sessions bk',
  'list': 'GET /v1/sessions cr',
  'get': 'GET /v1/sessions/{id} r',
  'past': 'GET /v1/sessions/{id}/history cr',
  'navigate': 'POST /v1/sessions/{id}/navigate bd',
  'interact': 'POST /v1/sessions/{id}/interact bd',
  'wait': 'POST /v1/sessions/{id}/wait bd',
  'capture': 'POST /v1/sessions/{id}/capture bd',
  'extract': 'POST /v1/sessions/{id}/extract bd',
  'search': 'POST /v1/sessions/{id}/search bd',
  'login': 'POST /v1/sessions/{id}/login bd',
  'state': 'GET /v1/sessions/{id}/state d',
  'observe': 'GET /v1/sessions/{id}/observation d',
  'video-token': 'POST /v1/sessions/{id}/video-token d',
  'destroy': 'DELETE /v1/sessions/{id} i',
} as const;

export const agents = {
  'create': 'POST /v1/agent-sessions bk',
  'close': 'DELETE /v1/agent-sessions/{id} i',
  'mode': 'POST /v1/agent-sessions/{id}/mode b',
  'input-event': 'POST /v1/agent-sessions/{id}/input-event b',
  'takeover': 'POST /v1/agent-sessions/{id}/takeover b',
  'handback': 'POST /v1/agent-sessions/{id}/handback b',
  'resume': 'POST /v1/agent-sessions/{id}/resume b',
  'video-token': 'POST /v1/agent-sessions/{id}/video-token',
  'gui-control-key': 'GET /v1/agent-sessions/{id}/gui-control-key',
  'capture': 'GET /v1/agent-sessions/{id}/captures/{capture_id}',
  'page-state': 'GET /v1/agent-sessions/{id}/page-state',
  'cookies': 'GET /v1/agent-sessions/{id}/cookies',
  'cookies-set': 'POST /v1/agent-sessions/{id}/cookies/set b',
  'history': 'POST /v1/agent-sessions/{id}/history b',
  'upload': 'POST /v1/agent-sessions/{id}/files b',
  'downloads': 'GET /v1/agent-sessions/{id}/downloads',
  'download': 'GET /v1/agent-sessions/{id}/downloads/content',
  'list': 'GET /v1/agent-sessions cr',
  'get': 'GET /v1/agent-sessions/{id} r',
  'past': 'GET /v1/agent-sessions/{id}/history cr',
  'transcript': 'GET /v1/agent-sessions/{id}/transcript er',
  'message': 'POST /v1/agent-sessions/{id}/message bk',
  'recipe-suggestion': 'GET /v1/agent-sessions/{id}/recipe-suggestion',
} as const;

export const agentSessionLinks = {
  'create': 'POST /v1/agent-sessions/{id}/links b',
  'list': 'GET /v1/agent-sessions/{id}/links',
  'revoke': 'DELETE /v1/agent-sessions/{id}/links/{link_id}',
  'open': 'POST /v1/agent-session-links/open b',
} as const;

export const keys = {
  'create': 'POST /v1/api-keys b',
  'list': 'GET /v1/api-keys cr',
  'get': 'GET /v1/api-keys/{id} r',
  'past': 'GET /v1/api-keys/{id}/history cr',
  'rotate': 'POST /v1/api-keys/{id}/rotate b',
  'revoke': 'DELETE /v1/api-keys/{id}',
} as const;

export const account = {
  'me': 'GET /v1/account/me r',
  'rate-limits': 'GET /v1/account/rate-limits r',
  'deprecations': 'GET /v1/account/deprecations r',
  'usage': 'GET /v1/account/usage r',
  'usage-series': 'GET /v1/account/usage/series r',
} as const;

export const auditLog = {
  'list': 'GET /v1/account/audit-log cr',
  'export': 'GET /v1/account/audit-log/export tr',
  'proof': 'GET /v1/account/audit-log/{sequence}/proof r',
  'consistency': 'GET /v1/account/audit-log/consistency r',
  'checkpoint': 'GET /v1/account/audit-log/checkpoint r',
  'keys': 'GET /.well-known/audit-log/keys',
  'anchor': 'GET /v1/account/audit-log/anchor r',
} as const;

export const requests = {
  'get': 'GET /v1/requests/{request_id} r',
} as const;

export const usage = {
  'get': 'GET /v1/usage r',
  'series': 'GET /v1/usage/series r',
} as const;

export const publicTree = {
  'checkpoint': 'GET /.well-known/audit-log/checkpoint t',
  'tile': 'GET /.well-known/audit-log/tile/{level}/{last} y',
  'tile-2': 'GET /.well-known/audit-log/tile/{level}/{first}/{last} y',
  'tile-3': 'GET /.well-known/audit-log/tile/{level}/{first}/{second}/{last} y',
  'tile-4': 'GET /.well-known/audit-log/tile/{level}/{first}/{second}/{third}/{last} y',
} as const;

export const webhooks = {
  'list': 'GET /v1/webhooks cr',
  'get': 'GET /v1/webhooks/{id} r',
  'past': 'GET /v1/webhooks/{id}/history cr',
  'deliveries': 'GET /v1/webhooks/{id}/deliveries cr',
  'replay-progress': 'GET /v1/webhooks/{id}/replays/{replay_id} r',
  'create': 'POST /v1/webhooks b',
  'update': 'PATCH /v1/webhooks/{id} b',
  'delete': 'DELETE /v1/webhooks/{id}',
  'rotate-secret': 'POST /v1/webhooks/{id}/rotate-secret',
  'test': 'POST /v1/webhooks/{id}/test',
  'replay': 'POST /v1/webhooks/{id}/replay b',
  'cancel-replay': 'DELETE /v1/webhooks/{id}/replays/{replay_id}',
} as const;

export const events = {
  'list': 'GET /v1/events ar',
} as const;

export const webhookDeliveries = {
  'get': 'GET /v1/webhook-deliveries/{id} r',
  'replay': 'POST /v1/webhook-deliveries/{id}/replay',
} as const;

export const proxies = {
  'create': 'POST /v1/account/me/proxies b',
  'list': 'GET /v1/account/me/proxies cr',
  'get': 'GET /v1/account/me/proxies/{id} r',
  'past': 'GET /v1/account/me/proxies/{id}/history cr',
  'update': 'PATCH /v1/account/me/proxies/{id} b',
  'delete': 'DELETE /v1/account/me/proxies/{id}',
  'check': 'POST /v1/account/me/proxies/{id}/check',
} as const;

export const recipes = {
  'create': 'POST /v1/recipes b',
  'list': 'GET /v1/recipes cr',
  'get': 'GET /v1/recipes/{id} r',
  'past': 'GET /v1/recipes/{id}/history cr',
  'delete': 'DELETE /v1/recipes/{id}',
} as const;

export const profiles = {
  'create': 'POST /v1/profiles b',
  'list': 'GET /v1/profiles cr',
  'trash': 'GET /v1/profiles/trash cr',
  'get': 'GET /v1/profiles/{id} r',
  'past': 'GET /v1/profiles/{id}/history cr',
  'update': 'PATCH /v1/profiles/{id} b',
  'trash-one': 'DELETE /v1/profiles/{id} i',
  'restore': 'POST /v1/profiles/{id}/restore',
  'purge': 'DELETE /v1/profiles/{id}/purge',
  'clone': 'POST /v1/profiles/{id}/clone b',
  'transfer': 'POST /v1/profiles/{id}/transfer b',
  'accept-transfer': 'POST /v1/profiles/{id}/transfer/accept',
  'import': 'POST /v1/profiles/import b',
  'launch': 'POST /v1/profiles/{id}/launch bk',
  'export': 'POST /v1/profiles/{id}/export b',
  'trim': 'POST /v1/profiles/{id}/trim b',
} as const;

export const profileSnapshots = {
  'create': 'POST /v1/profiles/{id}/snapshots b',
  'list-of-profile': 'GET /v1/profiles/{id}/snapshots cr',
  'list': 'GET /v1/profile-snapshots cr',
  'get': 'GET /v1/profile-snapshots/{id} r',
  'past': 'GET /v1/profile-snapshots/{id}/history cr',
  'restore': 'POST /v1/profile-snapshots/{id}/restore b',
  'delete': 'DELETE /v1/profile-snapshots/{id}',
} as const;

export const organization = {
  'get': 'GET /v1/account/me/organization r',
  'past': 'GET /v1/account/me/organization/history cr',
  'put': 'PUT /v1/account/me/organization bi',
} as const;

export const emailPreferences = {
  'get': 'GET /v1/account/email-preferences r',
  'put': 'PUT /v1/account/email-preferences bi',
} as const;

export const byokLlmKey = {
  'get': 'GET /v1/account/me/byok-llm-key r',
  'put': 'PUT /v1/account/me/byok-llm-key bi',
  'delete': 'DELETE /v1/account/me/byok-llm-key',
  'test': 'POST /v1/account/me/byok-llm-key/test',
} as const;

export const bundledLlmSettings = {
  'get': 'GET /v1/account/me/bundled-llm-settings r',
  'update': 'PATCH /v1/account/me/bundled-llm-settings b',
} as const;

export const bundledLlmStatus = {
  'get': 'GET /v1/account/me/bundled-llm-status r',
} as const;

export const mfa = {
  'enroll': 'POST /v1/auth/mfa/enroll',
  'confirm': 'POST /v1/auth/mfa/confirm b',
  'disable': 'POST /v1/auth/mfa/disable b',
  'step-up': 'POST /v1/auth/mfa/step-up b',
  'login': 'POST /v1/auth/mfa/login b',
} as const;

export const legal = {
  'accept': 'POST /v1/legal/accept b',
} as const;

export const oauth = {
  'device-authorization': 'POST /v1/oauth/device_authorization b',
  'token': 'POST /v1/oauth/token b',
  'device': 'POST /v1/oauth/device b',
  'metadata': 'GET /.well-known/oauth-authorization-server',
} as const;

export const email = {
  'unsubscribe-page': 'GET /v1/email/unsubscribe t',
  'unsubscribe': 'POST /v1/email/unsubscribe t',
} as const;

export const teamInvites = {
  'create': 'POST /v1/team/invites b',
  'list': 'GET /v1/team/invites cr',
  'withdraw': 'DELETE /v1/team/invites/{id}',
  'accept': 'POST /v1/team/invites/accept b',
} as const;

export const teamMembers = {
  'list': 'GET /v1/team/members cr',
  'get': 'GET /v1/team/members/{id} r',
  'past': 'GET /v1/team/members/{id}/history cr',
  'remove': 'DELETE /v1/team/members/{id}',
} as const;

export const teamOwners = {
  'list': 'GET /v1/team/owners cr',
} as const;

export const billing = {
  'get': 'GET /v1/billing r',
  'checkout': 'POST /v1/billing/checkout-session b',
  'portal': 'POST /v1/billing/portal-session b',
  'explain': 'GET /v1/billing/explain r',
} as const;

export const cardEvents = {
  'take': 'POST /v1/webhooks/card w',
} as const;

export const cryptoOrders = {
  'quote': 'POST /v1/billing/crypto-checkout/quote b',
  'create': 'POST /v1/billing/crypto-checkout bk',
  'list': 'GET /v1/billing/crypto-orders cr',
  'get': 'GET /v1/billing/crypto-orders/{id} r',
  'past': 'GET /v1/billing/crypto-orders/{id}/history cr',
  'update': 'PATCH /v1/billing/crypto-orders/{id} b',
  'cancel': 'POST /v1/billing/crypto-orders/{id}/cancel',
  'receipt': 'GET /v1/billing/crypto-orders/{id}/receipt r',
  'receipt-text': 'GET /v1/billing/crypto-orders/{id}/receipt.txt tr',
  'receipt-pdf': 'GET /v1/billing/crypto-orders/{id}/receipt.pdf yr',
} as const;

export const cryptoCallbacks = {
  'take': 'POST /v1/webhooks/crypto w',
} as const;

/** Prefix of the ids of an area's operations. */
export const prefixes = {
  status: 'status',
  incidents: 'incidents',
  auth: 'auth',
  archetypes: 'archetypes',
  sessions: 'sessions',
  agents: 'agent-sessions',
  agentSessionLinks: 'agent-session-links',
  keys: 'api-keys',
  account: 'account',
  auditLog: 'audit-log',
  requests: 'requests',
  usage: 'usage',
  publicTree: 'public-tree',
  webhooks: 'webhooks',
  events: 'events',
  webhookDeliveries: 'webhook-deliveries',
  proxies: 'proxies',
  recipes: 'recipes',
  profiles: 'profiles',
  profileSnapshots: 'profile-snapshots',
  organization: 'organization',
  emailPreferences: 'email-preferences',
  byokLlmKey: 'byok-llm-key',
  bundledLlmSettings: 'bundled-llm-settings',
  bundledLlmStatus: 'bundled-llm-status',
  mfa: 'mfa',
  legal: 'legal',
  oauth: 'oauth',
  email: 'email',
  teamInvites: 'team-invites',
  teamMembers: 'team-members',
  teamOwners: 'team-owners',
  billing: 'billing',
  cardEvents: 'card-events',
  cryptoOrders: 'crypto-orders',
  cryptoCallbacks: 'crypto-callbacks',
} as const;

/** Every kind of action. */
export const actionKinds = ['tap', 'double_tap', 'long_press', 'type', 'press', 'clear', 'focus', 'select', 'check', 'scroll', 'swipe', 'pinch', 'upload', 'drag', 'activate_tab', 'close_tab'] as const;
