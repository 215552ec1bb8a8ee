import type { JsonObject } from '../../openapi/json-schema.ts';
import { actions } from '../../resources/session.ts';
import { areas, interfaceOf, verbOf } from './areas.ts';
import { components, described, nameIn, schemaIn, served } from './document.ts';
import { interfaceText } from './interfaces.ts';
import { problemClassesText, problemTypesText } from './problems.ts';
import { rowOf } from './rows.ts';
import { commentOf, typeText } from './type-text.ts';

const heading = '// Written by `npm run docs` from the routes and their schemas. Do not edit.\n';

/** The files of `contracts/client/generated`, by name. */
export const generatedFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      'types.ts': typesText(),
      'problem-types.ts': problemTypesText(),
      'problems.ts': problemClassesText(),
      'operations.ts': operationsText(),
      'areas.ts': interfacesText(),
    }).map(([name, text]) => [name, `${heading}\n${indented(text).trimEnd()}\n`]),
  );

/** Indents lines within braces by two spaces per level. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    const own = line.trim();
    if (own.startsWith('}')) depth -= 1;
    const at = own === '' ? '' : `${'  '.repeat(depth)}${own}`;
    if (own.endsWith('{')) depth += 1;
    return at;
  });
  return lines.join('\n');
}

/** Request bodies: closed types, because the service ignores unknown fields, so naming one is a mistake. */
const requests = new Set(
  served.flatMap((route) => {
    const body = schemaIn(described(route).requestBody as JsonObject | undefined);
    return body === undefined ? [] : [nameIn(body)];
  }),
);

function typesText(): string {
  return Object.entries(components.schemas)
    .filter(([name]) => !name.endsWith('Problem'))
    .map(([name, schema]) => {
      const text = typeText(schema, (other) => other, !requests.has(name));
      const isUnion = 'anyOf' in schema || 'oneOf' in schema;
      const declaration =
        text.startsWith('{\n') && !isUnion ? `interface ${name} ${text}` : `type ${name} = ${text};`;
      return `${commentOf(schema)}export ${declaration}\n`;
    })
    .join('\n');
}

function operationsText(): string {
  const tables = areas.map(({ name, routes }) => {
    const rows = routes.map((route) => `'${verbOf(route)}': '${rowOf(route)}',`);
    return `export const ${name} = {\n${rows.join('\n')}\n} as const;\n`;
  });
  const kinds = Object.keys(actions).map((kind) => `'${kind}'`);
  return [
    '// How the rows are read: `operationOf` in `../operation.ts`.',
    ...tables,
    `/** Prefix of the ids of an area's operations. */\nexport const prefixes = {\n${areas.map(({ name, prefix }) => `${name}: '${prefix}',`).join('\n')}\n} as const;\n`,
    `/** Every kind of action. */\nexport const actionKinds = [${kinds.join(', ')}] as const;`,
  ].join('\n');
}

function interfacesText(): string {
  const makers = areas.map((area) => {
    const { name, prefix } = area;
    const type = interfaceOf(area);
    return `export const ${name} = (connection: Connection): ${type} => area(connection, '${prefix}', rows.${name});`;
  });
  return [
    "import { area } from '../area.ts';",
    "import type { Call } from '../call.ts';",
    "import type { Connection } from '../connection.ts';",
    "import type { List } from '../list.ts';",
    "import type { CallOptions } from '../options.ts';",
    "import * as rows from './operations.ts';",
    "import type * as t from './types.ts';\n",
    ...areas.map((area) => interfaceText(area)),
    ...makers,
    `\n/** The operations of each area. */\nexport interface Areas {\n${areas.map((area) => `${area.name}: ${interfaceOf(area)};`).join('\n')}\n}`,
  ].join('\n');
}
