import { compareSchemas, referredTo, type Difference } from './compare-schemas.ts';
import type { JsonObject } from '../json-schema.ts';

/** Differences that are not breaking: clients ignore what they do not know. */
const allowed: ReadonlySet<Difference['kind']> = new Set(['added', 'loosened']);
export const isBreaking = ({ kind }: Difference): boolean => !allowed.has(kind);

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const objectAt = (from: JsonObject, key: string): JsonObject => (from[key] ?? {}) as JsonObject;

/**
 * The differences of the documented contract from an earlier one. Descriptions, examples, headers and additional problems of a
 * route do not count; a changed status of a problem's type does.
 */
export function compareDocuments(before: JsonObject, after: JsonObject): readonly Difference[] {
  const [operations, now] = [operationsIn(before), operationsIn(after)];
  const documents = { before, after };
  return [
    ...[...operations].flatMap(([address, operation]) => {
      const successor = now.get(address);
      if (successor === undefined) return [removed(address, 'the route')];
      return compareOperations(address, operation, successor, documents);
    }),
    ...[...now.keys()]
      .filter((address) => !operations.has(address))
      .map((where) => added(where, 'the route')),
    ...compareProblems(before, after),
    ...compareWebhooks(before, after),
  ];
}

const removed = (where: string, what: string): Difference => ({ kind: 'removed', where, what });
const added = (where: string, what: string): Difference => ({ kind: 'added', where, what });

function operationsIn(document: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(objectAt(document, 'paths')))
    for (const method of methods) {
      const operation = (item as JsonObject)[method];
      if (operation !== undefined) found.set(`${method.toUpperCase()} ${path}`, operation as JsonObject);
    }
  return found;
}

interface Documents {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function compareOperations(
  address: string,
  before: JsonObject,
  after: JsonObject,
  documents: Documents,
): readonly Difference[] {
  return [
    ...compareParameters(address, before, after, documents),
    ...compareRequests(address, before, after, documents),
    ...compareAnswers(address, before, after, documents),
  ];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: JsonObject;
}
const parametersOf = ({ parameters = [] }: JsonObject): ReadonlyMap<string, Parameter> =>
  new Map((parameters as unknown as readonly Parameter[]).map((each) => [`${each.in} ${each.name}`, each]));

function compareParameters(
  address: string,
  before: JsonObject,
  after: JsonObject,
  documents: Documents,
): readonly Difference[] {
  const [old, now] = [parametersOf(before), parametersOf(after)];
  const known = [...old].flatMap(([name, parameter]) => {
    const where = `${address} · ${name}`;
    const successor = now.get(name);
    if (successor === undefined) return [removed(where, 'the parameter')];
    const schemas = [parameter.schema ?? {}, successor.schema ?? {}] as const;
    return [
      ...requirement(where, parameter.required === true, successor.required === true),
      ...compareSchemas(...schemas, { where, side: 'request', ...documents }),
    ];
  });
  const fresh = [...now].filter(([name]) => !old.has(name));
  return [...known, ...fresh.map(([name, each]) => freshParameter(`${address} · ${name}`, each))];
}

const freshParameter = (where: string, { required = false }: Parameter): Difference =>
  required
    ? { kind: 'tightened', where, what: 'a new parameter is required' }
    : added(where, 'the parameter');

const requirement = (where: string, was: boolean, is: boolean): readonly Difference[] => {
  if (was === is) return [];
  return [
    is
      ? { kind: 'tightened', where, what: 'is required now' }
      : { kind: 'loosened', where, what: 'is optional now' },
  ];
};

function compareRequests(
  address: string,
  { requestBody: old }: JsonObject,
  { requestBody: now }: JsonObject,
  documents: Documents,
): readonly Difference[] {
  const where = `${address} · body`;
  if (old === undefined && now === undefined) return [];
  if (now === undefined) return [removed(where, 'the body')];
  const [before, after] = [(old ?? {}) as JsonObject, now as JsonObject];
  const isRequired = requirement(where, before.required === true, after.required === true);
  if (old === undefined) return [...isRequired, added(where, 'the body')];
  return [...isRequired, ...compareContents(where, 'request', before, after, documents)];
}

function compareAnswers(
  address: string,
  before: JsonObject,
  after: JsonObject,
  documents: Documents,
): readonly Difference[] {
  const [old, now] = [objectAt(before, 'responses'), objectAt(after, 'responses')];
  const known = Object.entries(old).flatMap(([status, answer]): readonly Difference[] => {
    const where = `${address} · ${status}`;
    const successor = now[status] as JsonObject | undefined;
    if (successor === undefined) return [{ kind: 'status-changed', where, what: 'is not given any more' }];
    return Number(status) >= 400
      ? []
      : compareContents(where, 'response', answer as JsonObject, successor, documents);
  });
  const fresh = Object.keys(now).filter((status) => !(status in old));
  return [
    ...known,
    ...fresh.map((status): Difference => {
      const where = `${address} · ${status}`;
      return Number(status) >= 400
        ? added(where, 'a problem')
        : { kind: 'status-changed', where, what: 'is another success' };
    }),
  ];
}

function compareContents(
  where: string,
  side: 'request' | 'response',
  before: JsonObject,
  after: JsonObject,
  documents: Documents,
): readonly Difference[] {
  const [old, now] = [objectAt(before, 'content'), objectAt(after, 'content')];
  return Object.entries(old).flatMap(([type, content]) => {
    const successor = now[type] as JsonObject | undefined;
    if (successor === undefined) return [removed(where, type)];
    const schemas = [objectAt(content as JsonObject, 'schema'), objectAt(successor, 'schema')] as const;
    return compareSchemas(...schemas, { where, side, ...documents });
  });
}

/** A problem's type never changes its status. */
function compareProblems(before: JsonObject, after: JsonObject): readonly Difference[] {
  const [old, now] = [before, after].map(problemsIn);
  return [...(old ?? [])].flatMap(([type, status]): readonly Difference[] => {
    const successor = now?.get(type);
    if (successor === undefined)
      return [{ kind: 'slug-changed', where: type, what: 'is not there any more' }];
    if (successor === status) return [];
    return [{ kind: 'status-changed', where: type, what: `was ${status} and is ${successor}` }];
  });
}

function problemsIn(document: JsonObject): ReadonlyMap<string, string> {
  const schemas = Object.values(objectAt(objectAt(document, 'components'), 'schemas')) as JsonObject[];
  return new Map(
    schemas.flatMap((schema) => {
      const { type, status } = objectAt(schema, 'properties') as Record<string, JsonObject | undefined>;
      if (typeof type?.const !== 'string' || typeof status?.const !== 'number') return [];
      return [[type.const.slice(type.const.lastIndexOf('/') + 1), String(status.const)] as const];
    }),
  );
}

/** Compares messages to receivers, whose fields are compared like those of answers. */
function compareWebhooks(before: JsonObject, after: JsonObject): readonly Difference[] {
  const [old, now] = [objectAt(before, 'webhooks'), objectAt(after, 'webhooks')];
  const documents = { before, after };
  const known = Object.entries(old).flatMap(([name, item]) => {
    const where = `webhook ${name}`;
    const successor = now[name] as JsonObject | undefined;
    if (successor === undefined) return [removed(where, 'the event')];
    const bodies = [item as JsonObject, successor].map((each) =>
      objectAt(objectAt(each, 'post'), 'requestBody'),
    );
    return compareContents(where, 'response', bodies[0] ?? {}, bodies[1] ?? {}, documents);
  });
  const fresh = Object.keys(now).filter((name) => !(name in old));
  return [
    ...known,
    ...fresh.map((name): Difference => ({
      kind: 'value-sent',
      where: `webhook ${name}`,
      what: 'the event is new',
    })),
  ];
}

/** The compared part of a document, to be stored per release, with references resolved. */
export function contractIn(document: JsonObject): JsonObject {
  const paths = Object.entries(objectAt(document, 'paths')).map(([path, item]) => {
    const operations = Object.entries(item as JsonObject);
    return [
      path,
      Object.fromEntries(
        operations.map(([method, operation]) => [method, boundTo(operation as JsonObject, document)]),
      ),
    ];
  });
  const { webhooks = {}, components } = document;
  const schemas = objectAt((components ?? {}) as JsonObject, 'schemas');
  return { paths: Object.fromEntries(paths) as JsonObject, webhooks, components: { schemas } };
}

function boundTo({ parameters = [], requestBody, responses }: JsonObject, document: JsonObject): JsonObject {
  const answers = Object.entries((responses ?? {}) as JsonObject).map(([status, answer]) => [
    status,
    Number(status) >= 400 ? {} : { content: contentsOf(referredTo(answer as JsonObject, document)) },
  ]);
  const body = requestBody as JsonObject | undefined;
  return {
    parameters: (parameters as JsonObject[]).map((each) => referredTo(each, document)),
    ...(body && { requestBody: { required: body.required ?? false, content: contentsOf(body) } }),
    responses: Object.fromEntries(answers) as JsonObject,
  };
}

const contentsOf = ({ content = {} }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(content as Readonly<Record<string, JsonObject>>).map(
      ([type, { schema = {} }]) => [type, { schema }] as const,
    ),
  );
