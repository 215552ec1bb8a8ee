import { Type, closed, type TSchema } from './schema.ts';
import type { ProblemSlug } from './problems.ts';
import type { Scope } from './events/api-key.ts';
import * as session from './resources/session.ts';
import * as apiKey from './resources/api-key.ts';
import * as account from './resources/account.ts';
import * as archetype from './resources/archetype.ts';
import type { Bucket } from './rate-buckets.ts';

/**
 * The authorisation table: every public route with who may call it and what it takes and gives. The guard, the
 * validators, the OpenAPI documents, the gateway's routing and the tests are generated from these rows.
 */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI form: `/v1/sessions/{id}`. */
  readonly path: string;
  /** Which of the two APIs serves it. A read that claims the driver is a write. */
  readonly side: 'read' | 'write';
  readonly summary: string;
  readonly tag: string;
  /** Null: no credential. Else any one of these scopes is enough. */
  readonly scopes: readonly Scope[] | null;
  /** The least role of a team member acting on an owner's account. */
  readonly role: 'member' | 'admin';
  /** Whether `X-Service-Account` makes the route act on a team owner's account. */
  readonly accountHeader: 'honored' | 'ignored';
  readonly bucket: Bucket | null;
  readonly idempotencyKey?: true;
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly body?: TSchema;
  readonly bodyRequired?: boolean;
  readonly success: {
    readonly status: number;
    readonly body: TSchema | null;
    /** Default `application/json`; several are separated by commas. */
    readonly contentType?: string;
    /** Beyond those of every reply, with what each says. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly description: string;
  };
  /** Beyond those every route of its kind can give (credential, scope, rate, validation, internal). */
  readonly problems: readonly ProblemSlug[];
}

const SessionParam = { id: Type.String({ description: '`ses_<uuid>`' }) };
const KeyParam = { id: Type.String({ description: '`key_<uuid>`' }) };

export const ListQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
};

/** A page of a list: pass `next_cursor` back for the next one; it is empty on the last page. */
export const page = (item: TSchema) =>
  closed({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.String() });

const driverProblems = [
  'not-found',
  'conflict',
  'session-destroyed',
  'driver-error',
  'driver-not-integrated',
  'feature-unavailable',
  'session-timeout',
] as const;

const operate = <const Name extends string, Body extends TSchema, Result extends TSchema>(
  name: Name,
  summary: string,
  body: Body,
  result: Result,
) =>
  ({
    id: `sessions.${name}`,
    method: 'POST',
    path: `/v1/sessions/{id}/${name}`,
    side: 'write',
    summary,
    tag: 'Sessions',
    scopes: ['write', 'write:sessions'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
    params: SessionParam,
    body,
    bodyRequired: true,
    success: {
      status: 200,
      body: result,
      description: 'The operation settled and the session is ready again.',
    },
    problems: driverProblems,
  }) as const satisfies Route;

export const routes = [
  {
    id: 'archetypes.list',
    method: 'GET',
    path: '/v1/archetypes',
    side: 'read',
    summary: 'The device identities a session can take, and the default one',
    tag: 'Archetypes',
    scopes: null,
    role: 'member',
    accountHeader: 'ignored',
    bucket: null,
    success: { status: 200, body: archetype.ArchetypeCatalogue, description: 'The catalogue.' },
    problems: [],
  },
  {
    id: 'sessions.create',
    method: 'POST',
    path: '/v1/sessions',
    side: 'write',
    summary: 'Start a browser session; returns once the browser is ready',
    tag: 'Sessions',
    scopes: ['write', 'write:sessions'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'sessions:create',
    idempotencyKey: true,
    body: session.CreateSession,
    success: { status: 201, body: session.Session, description: 'The session is ready.' },
    problems: [
      'not-found',
      'conflict',
      'concurrency-limit',
      'session-destroyed',
      'driver-error',
      'driver-not-integrated',
      'session-timeout',
    ],
  },
  {
    id: 'sessions.list',
    method: 'GET',
    path: '/v1/sessions',
    side: 'read',
    summary: 'List sessions, newest first',
    tag: 'Sessions',
    scopes: ['read', 'read:sessions', 'account_owner'],
    role: 'member',
    accountHeader: 'honored',
    bucket: 'default:read',
    query: ListQuery,
    success: { status: 200, body: page(session.Session), description: 'A page of sessions.' },
    problems: ['bad-request'],
  },
  {
    id: 'sessions.get',
    method: 'GET',
    path: '/v1/sessions/{id}',
    side: 'read',
    summary: 'Read one session',
    tag: 'Sessions',
    scopes: ['read', 'read:sessions', 'account_owner'],
    role: 'member',
    accountHeader: 'honored',
    bucket: 'default:read',
    params: SessionParam,
    success: { status: 200, body: session.Session, description: 'The session.' },
    problems: ['not-found'],
  },
  operate('navigate', 'Load a page', session.Navigate, session.NavigateResult),
  operate('interact', 'Tap, type, scroll and the like', session.Interact, session.InteractResult),
  operate('wait', 'Wait for a condition', session.Wait, session.WaitResult),
  operate('capture', 'Screenshot, DOM snapshot or PDF', session.Capture, session.CaptureResult),
  operate('extract', 'Read structured data from the page', session.Extract, session.ExtractResult),
  operate('search', 'Search the web with the configured engine', session.Search, session.SearchResult),
  operate('login', 'Fill and submit a login form', session.Login, session.LoginResult),
  {
    id: 'sessions.state',
    method: 'GET',
    path: '/v1/sessions/{id}/state',
    side: 'write',
    summary: 'Address, title, cookies and local storage of the page; claims the browser',
    tag: 'Sessions',
    scopes: ['read', 'read:sessions', 'account_owner'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:read',
    params: SessionParam,
    success: { status: 200, body: session.StateResult, description: 'The state of the page.' },
    problems: driverProblems,
  },
  {
    id: 'sessions.destroy',
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    side: 'write',
    summary: 'End a session and release its slot; idempotent',
    tag: 'Sessions',
    scopes: ['write', 'write:sessions'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
    params: SessionParam,
    success: { status: 204, body: null, description: 'The session has ended.' },
    problems: ['not-found'],
  },
  {
    id: 'api-keys.create',
    method: 'POST',
    path: '/v1/api-keys',
    side: 'write',
    summary: 'Create an API key; the key itself is shown once',
    tag: 'API keys',
    scopes: ['account_owner'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
    body: apiKey.CreateApiKey,
    bodyRequired: true,
    success: { status: 201, body: apiKey.IssuedApiKey, description: 'The key, in plain text this once.' },
    problems: ['tier-limit'],
  },
  {
    id: 'api-keys.list',
    method: 'GET',
    path: '/v1/api-keys',
    side: 'read',
    summary: 'List API keys, newest first',
    tag: 'API keys',
    scopes: ['account_owner'],
    role: 'member',
    accountHeader: 'honored',
    bucket: 'default:read',
    query: ListQuery,
    success: { status: 200, body: page(apiKey.ApiKey), description: 'A page of keys, masked.' },
    problems: ['bad-request'],
  },
  {
    id: 'api-keys.rotate',
    method: 'POST',
    path: '/v1/api-keys/{id}/rotate',
    side: 'write',
    summary: 'Replace a key; the old one works for the grace window',
    tag: 'API keys',
    scopes: ['account_owner'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
    params: KeyParam,
    body: apiKey.RotateApiKey,
    success: {
      status: 200,
      body: apiKey.RotatedApiKey,
      description: 'The new key, in plain text this once.',
    },
    problems: ['not-found', 'conflict'],
  },
  {
    id: 'api-keys.revoke',
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    side: 'write',
    summary: 'Revoke a key at once; idempotent',
    tag: 'API keys',
    scopes: ['account_owner'],
    role: 'admin',
    accountHeader: 'honored',
    bucket: 'default:write',
    params: KeyParam,
    success: { status: 204, body: null, description: 'The key is revoked.' },
    problems: ['not-found'],
  },
  {
    id: 'account.me',
    method: 'GET',
    path: '/v1/account/me',
    side: 'read',
    summary: "The caller's own account",
    tag: 'Account',
    scopes: ['read', 'account_owner'],
    role: 'member',
    accountHeader: 'ignored',
    bucket: 'default:read',
    success: { status: 200, body: account.Account, description: 'The account.' },
    problems: [],
  },
  {
    id: 'audit-log.list',
    method: 'GET',
    path: '/v1/account/audit-log',
    side: 'read',
    summary: 'The audit log, newest first',
    tag: 'Account',
    scopes: ['read', 'account_owner'],
    role: 'member',
    accountHeader: 'honored',
    bucket: 'default:read',
    query: { ...ListQuery, ...account.AuditFilter },
    success: { status: 200, body: page(account.AuditEntry), description: 'A page of entries.' },
    problems: ['bad-request'],
  },
  {
    id: 'audit-log.export',
    method: 'GET',
    path: '/v1/account/audit-log/export',
    side: 'read',
    summary: 'Export the audit log as CSV or JSON lines, oldest first',
    tag: 'Account',
    scopes: ['read', 'account_owner'],
    role: 'member',
    accountHeader: 'honored',
    bucket: 'audit:export',
    query: account.AuditExportQuery,
    success: {
      status: 200,
      body: Type.String(),
      contentType: 'text/csv, application/x-ndjson',
      description: 'The rows.',
      headers: {
        'X-Has-More': '`true` when rows follow these.',
        'X-Next-Cursor': 'Pass back as `cursor` for the rows that follow; empty when there are none.',
        'X-Row-Count': 'Rows in this answer.',
        'X-Content-Sha256': 'SHA-256 of the body, hex.',
      },
    },
    problems: ['bad-request'],
  },
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]['id'];
export type Side = Route['side'];
export type RouteOf<Id extends RouteId> = Extract<(typeof routes)[number], { id: Id }>;
export type RouteIdOn<S extends Side> = Extract<(typeof routes)[number], { side: S }>['id'];
