import { openApiDocument } from '../../openapi/document.ts';
import type { JsonObject } from '../../openapi/json-schema.ts';
import { routes, type Route } from '../../routes/index.ts';

/** The document that the service serves, and the source of types and problems. */
export const document = openApiDocument({ errorsBase: '' });

export const components = document.components as Readonly<
  Record<'schemas' | 'responses' | 'parameters', Record<string, JsonObject>>
>;

export const served: readonly Route[] = routes;

/** The route's operation in the document. */
export function described({ path, method }: Route): JsonObject {
  const paths = document.paths as Readonly<Record<string, Record<string, JsonObject>>>;
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document does not have ${method} ${path}.`);
  return operation;
}

/** The schema of a body in one of its content types; undefined if it has none. */
export function schemaIn(part: JsonObject | undefined, type = 'application/json'): JsonObject | undefined {
  const content = part?.content as Readonly<Record<string, { schema: JsonObject }>> | undefined;
  return (content?.[type] ?? Object.values(content ?? {})[0])?.schema;
}

/** The component's name in a reference; undefined for anything else. */
export const nameIn = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** An object of the document; resolves a reference. */
export function resolved(kind: keyof typeof components, part: JsonObject): JsonObject {
  const name = nameIn(part);
  return name === undefined ? part : (components[kind][name] ?? {});
}
