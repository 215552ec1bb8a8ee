import { Type, type TSchema } from '../schema.ts';
import type { Route } from '../route.ts';
import { ArchetypeCatalogue } from '../resources/archetype.ts';
import * as session from '../resources/session.ts';
import { readsOf, writesOf } from './defaults.ts';
import { ListQuery, page } from './paging.ts';

const SessionParam = { id: Type.String({ description: '`ses_<uuid>`' }) };

const writes = writesOf('Sessions', ['write', 'write:sessions']);
const reads = readsOf('Sessions', ['read', 'read:sessions', 'account_owner']);

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
    ...writes,
    id: `sessions.${name}`,
    method: 'POST',
    path: `/v1/sessions/{id}/${name}`,
    summary,
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

export const sessionRoutes = [
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
    success: { status: 200, body: ArchetypeCatalogue, description: 'The catalogue.' },
    problems: [],
  },
  {
    ...writes,
    id: 'sessions.create',
    method: 'POST',
    path: '/v1/sessions',
    summary: 'Start a browser session; returns once the browser is ready',
    bucket: 'sessions:create',
    idempotencyKey: true,
    body: session.CreateSession,
    success: { status: 201, body: session.Session, description: 'The session is ready.' },
    problems: [
      'not-found',
      'conflict',
      'proxy-validation-failed',
      'concurrency-limit',
      'session-destroyed',
      'driver-error',
      'driver-not-integrated',
      'session-timeout',
    ],
  },
  {
    ...reads,
    id: 'sessions.list',
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List sessions, newest first',
    query: ListQuery,
    success: { status: 200, body: page(session.Session), description: 'A page of sessions.' },
    problems: ['bad-request'],
  },
  {
    ...reads,
    id: 'sessions.get',
    method: 'GET',
    path: '/v1/sessions/{id}',
    summary: 'Read one session',
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
    ...writes,
    id: 'sessions.state',
    method: 'GET',
    path: '/v1/sessions/{id}/state',
    summary: 'Address, title, cookies and local storage of the page; claims the browser',
    scopes: ['read', 'read:sessions', 'account_owner'],
    bucket: 'default:read',
    params: SessionParam,
    success: { status: 200, body: session.StateResult, description: 'The state of the page.' },
    problems: driverProblems,
  },
  {
    ...writes,
    id: 'sessions.destroy',
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    summary: 'End a session and release its slot; idempotent',
    params: SessionParam,
    success: { status: 204, body: null, description: 'The session has ended.' },
    problems: ['not-found', 'conflict'],
  },
] as const satisfies readonly Route[];
