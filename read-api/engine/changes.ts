import { isDeepStrictEqual } from 'node:util';
import { pointer } from '../../contracts/field-errors.ts';
import type { Change } from '../../contracts/resources/history.ts';

/** The differences between two bodies; a missing one has no fields. Objects are compared by field, other values as a whole. */
export const changesBetween = (before: object = {}, after: object = {}): Change[] =>
  differences('', before, after);

function differences(at: string, before: object, after: object): Change[] {
  const [old, present] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((name) =>
    change(`${at}/${pointer(name)}`, old.get(name), present.get(name)),
  );
}

/** Fields without undefined ones, as in JSON. */
const fieldsOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, field]) => field !== undefined);

function change(path: string, before: unknown, after: unknown): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) return differences(path, before, after);
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
