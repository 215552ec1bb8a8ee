import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assignments, type Given } from '../testing/environment.ts';

export const checkout = fileURLToPath(new URL('../../../', import.meta.url));
/** Path of a file beside this one. */
export const here = (name: string): string => join(import.meta.dirname, name);
export const textOf = (name: string): string => readFileSync(here(name), 'utf8');

/** All values of a directive, in order. */
export const valuesOf = (unit: string, directive: string): readonly string[] =>
  textOf(unit)
    .split('\n')
    .filter((line) => line.startsWith(`${directive}=`))
    .map((line) => line.slice(directive.length + 1));

/** What a unit sets itself, beside its environment file. */
export const environmentOf = (unit: string): Given => assignments(valuesOf(unit, 'Environment').join('\n'));
