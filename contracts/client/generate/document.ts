import { openApiDocument } from '../../openapi/document.ts';
import type { JsonObject } from '../../openapi/json-schema.ts';
import { routes, type Route } from '../../routes/index.ts';

/** What types and problems are written from: the same document that the service serves. */
export const document = openApiDocument({ errorsBase: '' });

export const components = document.components as Readonly<
  Record<'schemas' | 'responses' | 'parameters', Record<string, JsonObject>>
>;

export const served: readonly Route[] = routes;

/** The operation of a route as the document has it. */
export function described({ path, method }: Route): JsonObject {
  const paths = document.paths as Readonly<Record<string, Record<string, JsonObject>>>;
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document does not have ${method} ${path}.`);
  return operation;
}

/** The schema of a body in one of its content types; undefined where it has none. */
export function schemaIn(part: JsonObject | undefined, type = 'application/json'): JsonObject | undefined {
  const content = part?.content as Readonly<Record<string, { schema: JsonObject }>> | undefined;
  return (content?.[type] ?? Object.values(content ?? {})[0])?.schema;
}

/** The name of the component that a reference refers to; undefined of anything else. */
export const nameIn = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** An object of the document, or the component that it refers to. */
export function resolved(kind: keyof typeof components, part: JsonObject): JsonObject {
  const name = nameIn(part);
  return name === undefined ? part : (components[kind][name] ?? {});
}
