import { jsonSchema, type Json, type JsonObject } from '../../../contracts/openapi/json-schema.ts';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import type { Answer, CallOptions } from '../../http/testing.ts';
import { bodySchema, soundBodies, targetOf } from './attacks.ts';
import type { PlantedTexts } from './planted-texts.ts';
import { textFields } from './text-fields.ts';

export interface Garden {
  readonly planted: PlantedTexts;
  /** By text field, the answer to the request that had a text there. */
  readonly answers: Map<string, Answer>;
  call(target: string, options: CallOptions): Promise<Answer>;
  /** Path of a new or an existing subject of a route. */
  pathOf(route: Route): Promise<string>;
  tokenFor(route: Route): string | null;
  /** Fields of a body besides the text, more useful here than those of `soundBodies`. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
  /** Where addresses of endpoints are. */
  readonly receiver: string;
}

const table: readonly Route[] = routes;

/** How to write a text in a field that is not free. */
const writings: readonly (readonly [field: RegExp, write: (text: string, garden: Garden) => string])[] = [
  [/\.email$/, (text) => `${text}@example.com`],
  [/^webhooks\..*\.url$/, (text, { receiver }) => `${receiver}/${text}`],
  [/url$/, (text) => `http://sim.test/form?${text}`],
  [/\.host$/, (text) => `${text}.example`],
  [/\.domain$/, (text) => `${text}.test`],
  [/\.site$/, (text) => `http://${text}`],
  [/\.path$/, (text) => `/${text}`],
  [/api_key$/, (text) => `sk-ant-${text}`],
  [/data_?(base64|B64)$/, (text) => Buffer.from(text).toString('base64')],
  [/^profiles\.import\.data$/, (text) => Buffer.from(text).toString('base64')],
];
const written = (field: string, text: string, garden: Garden): string =>
  writings.find(([at]) => at.test(field))?.[1](text, garden) ?? text;

/** What a text needs for its request to be accepted: a body, and other parameters. */
const surroundings: readonly (readonly [
  field: RegExp,
  body: JsonObject | ((text: string) => JsonObject),
  beside?: JsonObject,
])[] = [
  [/\.prompt_text$/, { action: { kind: 'press', key: 'a' }, dialogs: { accept: true } }],
  [/\(drag\)\.from/, { action: { kind: 'drag', to: { x: 1, y: 1 } } }],
  [/\(drag\)\.to/, { action: { kind: 'drag', from: { x: 1, y: 1 } } }],
  [/\(select\)\.(?!values)/, { action: { kind: 'select', values: ['a'] } }],
  [/\(upload\)\.(?!files|handle)/, { action: { kind: 'upload', files: [{ name: 'a', data_base64: '' }] } }],
  [
    /\(upload\)\.files/,
    { action: { kind: 'upload', selector: '#file', files: [{ name: 'a', data_base64: '' }] } },
  ],
  [/\(select\)\.values/, { action: { kind: 'select', selector: '#size' } }],
  [/\(type\)\.text/, { action: { kind: 'type', selector: '#name' } }],
  [/^sessions\.login\.site$/, (text) => ({ url: `http://${text}/` })],
  [/^agent-sessions\.input-event\.client_id/, { event: { type: 'ping', timestamp: 1 } }],
];
const besides: typeof surroundings = [
  [/^sessions\.\w+(\.\w+\(\w+\))?(\.from|\.to)?\.name$/, {}, { role: 'button' }],
  [/\((url|text)\)\.frame|extract\.frame/, {}, {}],
  [/\.frame/, {}, { selector: 'h1' }],
];
function bodyAround(field: string, text: string): JsonObject | undefined {
  const body = surroundings.find(([at]) => at.test(field))?.[1];
  return typeof body === 'function' ? body(text) : body;
}
const besideIt = (field: string) => besides.find(([at]) => at.test(field))?.[2];

/** Plants a text in every text field of every body. */
export async function plantBodies(garden: Garden): Promise<void> {
  for (const route of table)
    for (const { name, plant } of textFields(bodySchema(route) ?? { type: 'null' })) {
      const field = `${route.id}${name}`;
      const text = garden.planted.text(field);
      const base = { ...soundBodies[route.id], ...garden.bodies[route.id], ...bodyAround(field, text) };
      const around = { base, beside: besideIt(field) ?? {} };
      const body = plant(written(field, text, garden), around);
      garden.answers.set(field, await send(garden, route, await garden.pathOf(route), body));
    }
}

/** Sends it with texts in undeclared fields. */
function send(garden: Garden, route: Route, path: string, body: Json): Promise<Answer> {
  const { planted } = garden;
  const [key, value] = [planted.text('an unknown field'), planted.text('an unknown field')];
  const whole = { ...(body as JsonObject), [key]: value };
  return garden.call(`${route.method} ${path}`, { token: garden.tokenFor(route), body: whole });
}

/** Texts in the path and the query of every route, and of an unknown one; they may well be refused. */
export async function plantAddresses(garden: Garden): Promise<void> {
  const { planted } = garden;
  const [key, value] = [planted.text('an unknown query'), planted.text('an unknown query')];
  await garden.call(`GET /v1/${planted.text('an unknown path')}`, { token: null });
  for (const route of table.filter(({ lasts }) => lasts === undefined)) {
    const texts = Object.entries(route.query ?? {}).filter(
      ([, schema]) => textFields(jsonSchema(schema)).length > 0,
    );
    for (const name of ['', ...texts.map(([name]) => name)]) {
      const query = name === '' ? `${key}=${value}` : `${name}=${planted.text(`query ${name}`)}`;
      const id = planted.text('path id');
      await garden.call(`${targetOf(route, id)}?${query}`, { token: garden.tokenFor(route) });
    }
  }
}

/** Headers of every request. `User-Agent` and the like may be stored, so they are the same in all of them. */
export function plantedHeaders({ text }: PlantedTexts): Readonly<Record<string, string>> {
  const names = ['User-Agent', 'X-Request-Id', 'Referer', 'Accept-Language', 'X-Unknown', 'X-Forwarded-For'];
  const same = Object.fromEntries(names.map((name) => [name, text(`header ${name}`)]));
  return { ...same, Cookie: `${text('header Cookie')}=${text('header Cookie')}` };
}

/** Headers with which a request is refused. */
export async function plantRefusedHeaders({ planted, call }: Garden, token: string): Promise<void> {
  const names = [
    'X-Service-Account',
    'X-Service-Min-Position',
    'Last-Event-ID',
    'Stripe-Signature',
    'Authorization',
  ];
  for (const name of names)
    for (const target of ['GET /v1/sessions', 'POST /v1/webhooks/card', 'POST /v1/webhooks/crypto'])
      await call(target, { token, headers: { [name]: planted.text(`header ${name}`) } });
}
