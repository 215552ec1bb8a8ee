import type { RecordName } from '../contracts/records.ts';
import type { AnyRecordNoun } from './kit/record.ts';
import { proxyNoun } from './proxy.ts';
import { recipeNoun } from './recipe/recipe.ts';

/** The rules of each noun of records; a type error if one is missing. */
export const recordNouns = {
  proxies: proxyNoun,
  recipes: recipeNoun,
} as const satisfies Readonly<Record<RecordName, AnyRecordNoun>>;
