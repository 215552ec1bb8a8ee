import type { JsonObject } from '../../openapi/json-schema.ts';
import { problemSchema, problemSlugs } from '../../openapi/problem-schemas.ts';
import { inPascalCase } from '../../openapi/words.ts';
import { problems, type ProblemSlug } from '../../problems.ts';
import { commentOf, typeText } from './type-text.ts';

const camel = (field: string): string => field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Fields of a problem beyond RFC 9457, as declarations of its error class. */
function fieldsOf(slug: ProblemSlug): readonly string[] {
  const { properties, required } = problemSchema(slug, '');
  const always = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties as Record<string, JsonObject>)
    .filter(([name]) => !['type', 'status'].includes(name))
    .map(([name, schema]) => {
      const type = typeText(schema, (other) => `t.${other}`);
      return `${commentOf(schema)}readonly ${camel(name)}: ${type}${always.has(name) ? '' : ' | undefined'};`;
    });
}

/** `problem-types.ts`: the slugs, and each problem's further fields. */
export const problemTypesText = (): string =>
  [
    "import type * as t from './types.ts';\n",
    `export type ProblemSlug = ${problemSlugs.map((slug) => `'${slug}'`).join(' | ')};\n`,
    '/** Extension members of each problem, beyond those of RFC 9457. */',
    'export interface ProblemExtensions {',
    ...problemSlugs.map((slug) => `'${slug}': ${extensionText(fieldsOf(slug))};`),
    '}',
  ].join('\n');

const extensionText = (fields: readonly string[]): string =>
  fields.length === 0 ? 'unknown' : `{\n${fields.join('\n')}\n}`;

/** `problems.ts`: a class for each problem, by its slug. */
export const problemClassesText = (): string =>
  [
    "import { ServiceError } from '../errors.ts';",
    "import type * as t from './types.ts';\n",
    ...problemSlugs.map(classText),
    '\n/** The class of each problem, by its slug in Pascal case. */',
    `const classes: Readonly<Record<string, typeof ServiceError>> = { ${problemSlugs.map(inPascalCase).join(', ')} };\n`,
    '/** The class of a problem and its name; undefined if the problem is unknown. */',
    'export function problemClass(slug: string): { name: string; Problem: typeof ServiceError } | undefined {',
    'const name = slug.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());',
    'const Problem = Object.hasOwn(classes, name) ? classes[name] : undefined;',
    'return Problem && { name, Problem };',
    '}',
  ].join('\n');

/**
 * Each class has a distinct field: if it were structurally equal to its base, TypeScript would narrow the base to
 * nothing after an `instanceof` that fails. `Internal` also stands for problems of unknown slugs.
 */
function classText(slug: ProblemSlug): string {
  const fields = fieldsOf(slug).map((field) => field.replace(/^(\/\*\*.*\*\/\n)?/, '$1declare '));
  const mark =
    slug === 'internal'
      ? 'declare protected readonly isInternal: true;'
      : `declare readonly slug: '${slug}';`;
  const { status, title } = problems[slug];
  const heading = `/** ${status} \`${slug}\`: ${title}. */\nexport class ${inPascalCase(slug)} extends ServiceError {`;
  return [heading, mark, ...fields, '}'].join('\n');
}
