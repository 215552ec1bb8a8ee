import type { RecordName } from '../contracts/records.ts';
import { createProxyCommands } from './proxy.ts';
import { createRecipeCommands } from './recipe/index.ts';

/** The factories of each noun's commands; a type error if one is missing. */
const nouns = {
  proxies: createProxyCommands,
  recipes: createRecipeCommands,
} as const satisfies Readonly<Record<RecordName, (ports: never) => unknown>>;

type Nouns = typeof nouns;

/** Commands of every noun of records, by name. */
export type NounCommands = { readonly [Name in RecordName]: ReturnType<Nouns[Name]> };

/** The ports of all of them. */
export type NounPorts = Nouns[RecordName] extends (ports: infer Ports) => unknown ? Ports : never;

export const createNounCommands = (ports: NounPorts): NounCommands =>
  Object.fromEntries(
    Object.entries<(ports: NounPorts) => unknown>(nouns).map(([name, create]) => [name, create(ports)]),
  ) as NounCommands;
