import { inPascalCase } from '../../openapi/words.ts';
import type { Route } from '../../routes/index.ts';
import { served } from './document.ts';

/** Shorter names of two nouns. */
const renamed: Readonly<Record<string, string>> = { 'agent-sessions': 'agents', 'api-keys': 'keys' };

/** Operations whose ids share the first part. */
export interface Area {
  /** Its name in the client: `agents`, `profileSnapshots`. */
  readonly name: string;
  /** Its name in ids: `agent-sessions`. */
  readonly prefix: string;
  readonly routes: readonly Route[];
}

const camel = (words: string): string => {
  const pascal = inPascalCase(words);
  return `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`;
};

const prefixOf = ({ id }: Route): string => id.slice(0, id.indexOf('.'));

/** The last part of a route's id, from which its method is named. */
export const verbOf = ({ id }: Route): string => id.slice(id.indexOf('.') + 1);
export const methodOf = (route: Route): string => camel(verbOf(route));

/** Every area of the client, with its routes. */
export const areas: readonly Area[] = [...new Set(served.map(prefixOf))].map((prefix) => ({
  prefix,
  name: renamed[prefix] ?? camel(prefix),
  routes: served.filter((route) => prefixOf(route) === prefix),
}));

export const interfaceOf = ({ name }: Area): string => `${inPascalCase(name)}Operations`;
