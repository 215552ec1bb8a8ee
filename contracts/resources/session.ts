import {
  Coordinate,
  Type,
  Timestamp,
  closed,
  nullable,
  ofKind,
  oneOf,
  requestBody,
  taggedUnion,
  type Static,
} from '../schema.ts';
import { idSchema } from '../ids.ts';
import { EgressCapabilities } from '../operations.ts';
import { IdleTimeoutSeconds } from './idle-timeout.ts';
import { timeoutBesideOwnTimeMs, timeoutMs } from './operation-timeout.ts';
import { Frame, Selector, elementTarget, fieldTarget } from './target.ts';
import { Download, Tab, TabId, happened } from './session-tabs.ts';
import { textForms } from '../text-forms.ts';

export const sessionStatuses = ['creating', 'ready', 'busy', 'destroyed', 'errored'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

const text = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength });

/** Maximum size of a session's metadata as JSON, in bytes. */
export const mostMetadataBytes = 64 * 1024;

export const CreateSession = requestBody({
  archetype: Type.Optional(text(100)),
  label: Type.Optional(text(200, 0)),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 100,
      description: 'At most 100 fields, and 64 KiB as JSON in UTF-8.',
    }),
  ),
  profile_id: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description:
        'A profile, as `prof_<uuid>` or the bare uuid. The session starts with the saved state of the profile, cookies included, and saves ' +
        'its state back: `write:sessions` is enough for that, and `read:sessions` in addition for reading the cookies.',
    }),
  ),
  /** A saved proxy of the account, for the session's connections. */
  proxy_id: Type.Optional(idSchema('proxy')),
  idle_timeout_seconds: Type.Optional(IdleTimeoutSeconds),
});
export type CreateSession = Static<typeof CreateSession>;

export const Session = closed({
  id: idSchema('session'),
  account_id: idSchema('account'),
  archetype: Type.String(),
  status: oneOf(sessionStatuses),
  /** Empty if none was given. */
  label: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  profile_id: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  ready_at: nullable(Timestamp),
  destroyed_at: nullable(Timestamp),
  ended_reason: nullable(Type.String()),
  /** Only on tiers whose sessions expire. */
  expires_at: Type.Optional(Timestamp),
  /** Only if requested. */
  idle_timeout_seconds: Type.Optional(Type.Integer()),
  /** In the detail resource and in the answer to a create; null until a node has reported them. */
  egress_capabilities: Type.Optional(nullable(EgressCapabilities)),
});
export type Session = Static<typeof Session>;

export const Navigate = requestBody({
  url: text(8192),
  wait_until: Type.Optional(oneOf(['load', 'domcontentloaded', 'networkidle'], { default: 'load' })),
  /** For HTTP authentication, at the origin of `url`, until the session ends. Stored only in the browser's memory. */
  credentials: Type.Optional(closed({ username: text(1000, 0), password: text(1000, 0) })),
  timeout_ms: timeoutMs,
});
export const NavigateResult = closed({
  final_url: Type.String(),
  status: nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  ...happened,
});

const pressTarget = { ...elementTarget, x: Type.Optional(Coordinate), y: Type.Optional(Coordinate) };
/** A point of the viewport, or the middle of an element. */
export const Place = Type.Object(pressTarget, { additionalProperties: false });
const UploadFile = closed({
  /** The value that the page receives. */
  name: text(255),
  mime: Type.Optional(Type.String({ maxLength: 255, default: 'application/octet-stream' })),
  data_base64: Type.String({ pattern: textForms.base64.pattern, maxLength: 14_000_000 }),
});

/** Actions with one finger, one key or one field, like a person's. */
export const actions = {
  tap: ofKind('tap', pressTarget),
  double_tap: ofKind('double_tap', pressTarget),
  long_press: ofKind('long_press', {
    ...pressTarget,
    duration_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000, default: 600 })),
  }),
  type: ofKind('type', {
    ...fieldTarget,
    text: text(100_000, 0),
    clear: Type.Optional(Type.Boolean({ default: false })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 0 })),
    sensitive: Type.Optional(Type.Boolean({ default: false })),
  }),
  press: ofKind('press', {
    /** Default: the focused element. */
    ...elementTarget,
    key: text(50),
    modifiers: Type.Optional(Type.Array(oneOf(['cmd', 'ctrl', 'shift', 'option']), { maxItems: 4 })),
  }),
  clear: ofKind('clear', elementTarget),
  focus: ofKind('focus', elementTarget),
  select: ofKind('select', {
    ...elementTarget,
    /** By value or by visible text. */
    values: Type.Optional(Type.Array(text(2000, 0), { minItems: 1, maxItems: 100 })),
    /** By position, from 0. */
    indexes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), { minItems: 1, maxItems: 100 }),
    ),
  }),
  check: ofKind('check', { ...elementTarget, checked: Type.Boolean() }),
  scroll: ofKind('scroll', {
    ...elementTarget,
    delta_x: Type.Optional(Coordinate),
    delta_y: Type.Optional(Coordinate),
  }),
  swipe: ofKind('swipe', {
    x1: Coordinate,
    y1: Coordinate,
    x2: Coordinate,
    y2: Coordinate,
    duration_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000, default: 300 })),
  }),
  /** Two fingers that move apart, which enlarges the page by this factor, or together. */
  pinch: ofKind('pinch', {
    ...pressTarget,
    scale: Type.Number({ minimum: 0.1, maximum: 10 }),
    duration_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000, default: 300 })),
  }),
  upload: ofKind('upload', {
    ...elementTarget,
    handle: Type.Optional(text(200)),
    files: Type.Optional(Type.Array(UploadFile, { minItems: 1, maxItems: 20 })),
  }),
  drag: ofKind('drag', { from: Place, to: Place }),
  activate_tab: ofKind('activate_tab', { tab_id: TabId }),
  close_tab: ofKind('close_tab', { tab_id: Type.Optional(TabId) }),
};
export const Action = taggedUnion('kind', actions);
export type Action = Static<typeof Action>;
export const Interact = requestBody({
  action: Action,
  /** Answers to dialogs that the action causes. By default `confirm` and `prompt` are dismissed, others accepted. */
  dialogs: Type.Optional(closed({ accept: Type.Boolean(), prompt_text: Type.Optional(text(10_000, 0)) })),
  timeout_ms: timeoutBesideOwnTimeMs,
});
export const InteractResult = closed({
  kind: oneOf(Object.keys(actions) as ['tap', ...string[]]),
  duration_ms: Type.Integer(),
  summary: Type.String(),
  ...happened,
  /** The active tab, if the action changed it. */
  tab_id: Type.Optional(TabId),
});

export const conditions = {
  selector: ofKind('selector', {
    ...elementTarget,
    state: Type.Optional(oneOf(['visible', 'attached', 'hidden', 'detached'], { default: 'visible' })),
  }),
  /** A glob, or a regular expression between slashes, with flags. */
  url: ofKind('url', { pattern: text(2000), frame: Type.Optional(Frame) }),
  load_state: ofKind('load_state', { state: oneOf(['load', 'domcontentloaded', 'networkidle']) }),
  text: ofKind('text', {
    text: text(2000),
    selector: Type.Optional(Selector),
    frame: Type.Optional(Frame),
  }),
  delay: ofKind('delay', { ms: Type.Integer({ minimum: 0, maximum: 60_000 }) }),
};
export const Condition = taggedUnion('kind', conditions);
export type Condition = Static<typeof Condition>;
export const Wait = requestBody({ condition: Condition, timeout_ms: timeoutBesideOwnTimeMs });
export const WaitResult = closed({ matched: Type.Literal(true), duration_ms: Type.Integer() });

export const captureKinds = ['screenshot', 'dom_snapshot', 'pdf'] as const;
export const Capture = requestBody({
  kind: oneOf(captureKinds),
  /** Restricts the screenshot to this element. */
  ...elementTarget,
  /** Extends the screenshot to the whole document. */
  full_page: Type.Optional(Type.Boolean({ default: false })),
  timeout_ms: timeoutMs,
});
export const CaptureResult = closed({
  kind: oneOf(captureKinds),
  data: Type.String(),
  encoding: oneOf(['base64', 'utf8']),
  byte_size: Type.Integer(),
  duration_ms: Type.Integer(),
});

export const Cookie = closed({
  domain: Type.String(),
  name: Type.String(),
  value: Type.String(),
  path: Type.Optional(Type.String()),
  expires: Type.Optional(nullable(Type.Integer())),
  httpOnly: Type.Optional(Type.Boolean()),
  secure: Type.Optional(Type.Boolean()),
  sameSite: Type.Optional(oneOf(['Strict', 'Lax', 'None'])),
});
export const StateResult = closed({
  url: Type.String(),
  title: Type.String(),
  cookies: Type.Array(Cookie),
  local_storage: Type.Record(Type.String(), Type.String()),
  tabs: Type.Optional(Type.Array(Tab)),
  /** Files that the session has stored or is receiving. */
  downloads: Type.Optional(Type.Array(Download)),
  captured_at: Timestamp,
});

export const extractTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;

export const Extract = requestBody({
  schema: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'A subset of JSON Schema: `type` (by default `object` beside `properties`, `array` beside `items`, else `string`), ' +
      '`properties`, `items`, `required`, `enum`, and `x-selector` / `x-attribute`. A property without `x-selector` is looked ' +
      'for by its name, as an itemprop, data-field, name, id or class.',
  }),
  selector: Type.Optional(Selector),
  frame: Type.Optional(Frame),
  instruction: Type.Optional(text(2000)),
  timeout_ms: timeoutMs,
});
export const ExtractResult = closed({
  data: Type.Unknown(),
  matched: Type.Boolean(),
  /** The tried selector, if nothing matched. */
  detail: Type.Optional(Type.String()),
  duration_ms: Type.Integer(),
});

export const Search = requestBody({
  query: text(2000),
  engine: Type.Optional(text(100)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
  timeout_ms: timeoutMs,
});
export const SearchResult = closed({
  results: Type.Array(
    closed({
      position: Type.Integer(),
      title: Type.String(),
      url: Type.String(),
      snippet: nullable(Type.String()),
    }),
  ),
  final_url: Type.String(),
  duration_ms: Type.Integer(),
});

export type Navigate = Static<typeof Navigate>;
export type Capture = Static<typeof Capture>;
export type CaptureResult = Static<typeof CaptureResult>;
export type Cookie = Static<typeof Cookie>;
export type Search = Static<typeof Search>;
