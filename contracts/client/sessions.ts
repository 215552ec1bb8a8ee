/// <reference lib="esnext.disposable" preserve="true" />
import { methodName } from './area.ts';
import type { Call } from './call.ts';
import type { Connection } from './connection.ts';
import { sessions as operations, type SessionsOperations } from './generated/areas.ts';
import { actionKinds } from './generated/operations.ts';
import type * as t from './generated/types.ts';
import { bodyAndOptions, handles, setFields, type Beside, type Bound } from './handle.ts';
import type { List } from './list.ts';
import type { CallOptions } from './options.ts';
import type { ExtractedBy, ExtractSchema } from './schema-data.ts';

type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** Fields of an action of this kind, without the kind. */
export type ActionFields<Kind extends t.Action['kind']> = Omit<Extract<t.Action, { kind: Kind }>, 'kind'>;

/** Each kind of action as a method: `tap({ role: 'button', name: 'Sign in' })`. */
export type SessionActions = {
  [Kind in t.Action['kind'] as CamelCase<Kind>]: (
    fields: ActionFields<Kind>,
    options?: Beside<t.Interact, 'action'>,
  ) => Call<t.InteractResult>;
};

/** Operations that a handle has unchanged: all but those of no session, and those that it has in another form. */
type BoundName = Exclude<keyof SessionsOperations, 'create' | 'list' | 'get' | 'destroy' | keyof OwnForms>;

/** Operations of a session that take what they mostly need as the first argument. */
interface OwnForms {
  navigate(url: string | t.Navigate, options?: Beside<t.Navigate, 'url'>): Call<t.NavigateResult>;
  /** Any action; each kind also has a method. */
  interact(action: t.Action, options?: Beside<t.Interact, 'action'>): Call<t.InteractResult>;
  wait(condition: t.Condition, options?: Beside<t.Wait, 'condition'>): Call<t.WaitResult>;
  capture(kind: t.Capture['kind'], options?: Beside<t.Capture, 'kind'>): Call<t.CaptureResult>;
  /** Data of the page, typed by the schema if it is a literal in the call. */
  extract<const S extends ExtractSchema>(
    schema: S,
    options?: Beside<t.Extract, 'schema'>,
  ): Call<Omit<t.ExtractResult, 'data'> & { data: ExtractedBy<S> }>;
  search(query: string, options?: Beside<t.Search, 'query'>): Call<t.SearchResult>;
  login(form: t.Login, options?: CallOptions): Call<t.LoginResult>;
}

/** A session with its operations. Its fields are as last read. */
export interface SessionHandle
  extends t.Session, SessionActions, OwnForms, Bound<SessionsOperations, BoundName> {
  /** Reads the session again and updates this handle. */
  refresh(options?: CallOptions): Promise<SessionHandle>;
  /** Ends the session; idempotent. `await using` does so too. */
  end(options?: CallOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ListedSessions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Only sessions with this status; others of a page are skipped. */
  readonly status?: t.Session['status'] | undefined;
}

export interface SessionsArea extends Omit<SessionsOperations, 'create' | 'get' | 'list'> {
  /** Start a browser session; returns once the browser is ready. */
  create(body?: t.CreateSession, options?: CallOptions): Call<SessionHandle>;
  get(
    id: string,
    query?: { readonly as_of?: string | undefined } & CallOptions,
    options?: CallOptions,
  ): Call<SessionHandle>;
  list(query?: ListedSessions & CallOptions, options?: CallOptions): List<SessionHandle>;
}

/** Browser sessions. */
export function sessions(connection: Connection): SessionsArea {
  const own = operations(connection);
  const handle = handlesOf(own);
  return {
    ...own,
    create: (body, options) => own.create(body, options).map(handle),
    get: (id, query, options) => own.get(id, query, options).map(handle),
    list: ({ status, ...query } = {}, options) =>
      own
        .list(query, options)
        .map((session) => (status === undefined || session.status === status ? handle(session) : undefined)),
  };
}

/** Makes handles of sessions in answers of another area's operations. */
export const handlesOn = (connection: Connection): ((session: t.Session) => SessionHandle) =>
  handlesOf(operations(connection));

/** A handle's members beside the fields of its session. */
type Methods = Omit<SessionHandle, keyof t.Session | typeof Symbol.asyncDispose>;

const handlesOf = (own: SessionsOperations): ((session: t.Session) => SessionHandle) =>
  handles<t.Session, Methods>((handle) => methodsOf(own, handle as SessionHandle)) as (
    session: t.Session,
  ) => SessionHandle;

const actionNames = actionKinds.map((kind) => [methodName(kind), kind] as const);

function methodsOf(own: SessionsOperations, handle: SessionHandle): Methods {
  const { id } = handle;
  const interact: SessionHandle['interact'] = (action, beside) =>
    own.interact(id, ...bodyAndOptions<t.Interact>({ action }, beside));
  const act = (kind: string) => (fields: object, beside?: Beside<t.Interact, 'action'>) =>
    interact({ ...fields, kind } as t.Action, beside);
  return {
    ...(Object.fromEntries(actionNames.map(([name, kind]) => [name, act(kind)])) as SessionActions),
    interact,
    navigate: (url, beside) => {
      const first = typeof url === 'string' ? { url } : url;
      return own.navigate(id, ...bodyAndOptions<t.Navigate>(first, beside));
    },
    wait: (condition, beside) => own.wait(id, ...bodyAndOptions<t.Wait>({ condition }, beside)),
    capture: (kind, beside) => own.capture(id, ...bodyAndOptions<t.Capture>({ kind }, beside)),
    extract: (schema, beside) =>
      own
        .extract(id, ...bodyAndOptions<t.Extract>({ schema }, beside))
        .map((result) => found(schema, result)),
    search: (query, beside) => own.search(id, ...bodyAndOptions<t.Search>({ query }, beside)),
    login: (form, options) => own.login(id, form, options),
    state: (options) => own.state(id, options),
    past: (query) => own.past(id, query),
    observe: (query) => own.observe(id, query),
    videoToken: (options) => own.videoToken(id, options),
    refresh: async (options) => setFields(handle, await own.get(id, options)),
    end: async (options) => {
      await own.destroy(id, options);
      handle.status = 'destroyed';
    },
  };
}

/** If nothing matches an object schema, the data has no fields: see `matched`. */
const found = <S extends ExtractSchema>(schema: S, result: t.ExtractResult) => ({
  ...result,
  data: (result.data ??
    (schema.type === 'object' || schema.properties !== undefined ? {} : null)) as ExtractedBy<S>,
});
