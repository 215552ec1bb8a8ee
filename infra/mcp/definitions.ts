import {
  fromJsonSchema,
  type JsonSchemaType,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Tool } from './tool.ts';

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A property whose name ends with `!` is required. */
function objectOf(properties: Properties) {
  const names = Object.keys(properties);
  const required = names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace(/!$/, ''), schema]),
    ),
    ...(required.length > 0 && { required }),
  } as const;
}

/** Cached: a schema is compiled on first use. */
const made = new WeakMap<Tool, Definition>();

interface Definition {
  readonly title: string;
  readonly description: string;
  readonly annotations: Tool['hints'];
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

export function definitionOf(tool: Tool): Definition {
  const known = made.get(tool);
  if (known !== undefined) return known;
  const schema = (form: object) => fromJsonSchema(form as JsonSchemaType);
  const { title, description, hints: annotations } = tool;
  const definition = {
    ...{ title, description, annotations },
    inputSchema: schema({ ...objectOf(tool.takes), additionalProperties: false }),
    outputSchema: schema(objectOf(tool.gives)),
  };
  made.set(tool, definition);
  return definition;
}
