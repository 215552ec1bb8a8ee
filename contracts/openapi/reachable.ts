import type { Json, JsonObject } from './json-schema.ts';

/** The components referenced by operations, directly or by other components. */
export function reachable(
  components: Readonly<Record<string, JsonObject>>,
  operations: JsonObject,
): JsonObject {
  const kept = new Set<string>();
  const keep = (node: Json): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(node).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      const component = components[kind]?.[name];
      if (component === undefined || kept.has(`${kind} ${name}`)) continue;
      kept.add(`${kind} ${name}`);
      keep(component);
    }
  };
  keep(operations);
  return Object.fromEntries(
    Object.entries(components).map(([kind, ofKind]) => [
      kind,
      Object.fromEntries(Object.entries(ofKind).filter(([name]) => kept.has(`${kind} ${name}`))),
    ]),
  );
}
