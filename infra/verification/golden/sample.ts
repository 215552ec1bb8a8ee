import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Category } from '../../../contracts/events/catalogue.ts';
import { idFormOf } from '../../../contracts/ids.ts';

/** An event in the format of its golden file. */
export interface GoldenEvent {
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
}

/** The parts of a JSON schema that samples are made from. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

const uuidStart = '0197f1a0-0000-7000-8000-';
const accountId = `acc_${uuidStart}000000000002`;
const golden = new URL('../../event-store/golden/', import.meta.url);

/** Hashes of the existing golden events, by path in `golden`. */
export const storedHashes = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL('hashes.json', golden), 'utf8')) as Readonly<Record<string, string>>;

export const pathOf = ({ category, type, version }: Omit<GoldenEvent, 'data'>): string =>
  `${category}/${type}.v${version}.json`;

export const hashOf = (event: GoldenEvent): string =>
  createHash('sha256').update(JSON.stringify(event)).digest('hex');

/**
 * Makes events of current schemas. All ids of a kind are the same, and differ from earlier golden events' except for
 * the account's.
 */
export class Samples {
  readonly #ids = new Map([['acc_<uuid>', accountId]]);
  #lastId: number;

  constructor(hashes = storedHashes()) {
    const stored = Object.keys(hashes).map((path) => readFileSync(new URL(path, golden), 'utf8'));
    const used = stored.flatMap((text) => [...text.matchAll(new RegExp(`${uuidStart}([0-9]{12})`, 'g'))]);
    this.#lastId = used.reduce((last, [, digits]) => Math.max(last, Number(digits)), 0);
  }

  /** An event of a type in its newest version. */
  of({ name: category, types, versions }: Category, type: string): GoldenEvent {
    const data = this.#sample(types[type] as Schema, type, false);
    return { category, type, version: versions[type] ?? 1, data };
  }

  /** `changed`: a value other than the field's usual one, if there are several. */
  #sample(schema: Schema, name: string, changed: boolean): unknown {
    const [first, second = first] = schema.enum ?? [];
    if (schema.enum) return changed ? second : first;
    if (schema.anyOf?.[0]) return this.#sample(schema.anyOf[0], name, changed);
    return 'const' in schema
      ? schema.const
      : (this.#ofType[schema.type ?? '']?.(schema, name, changed) ?? null);
  }

  readonly #ofType: Readonly<Record<string, (schema: Schema, name: string, changed: boolean) => unknown>> = {
    object: ({ properties = {} }, _name, changed) =>
      Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [
          key,
          this.#sample(each, key, changed || key === 'changes'),
        ]),
      ),
    array: ({ items }, name, changed) => (items === undefined ? [] : [this.#sample(items, name, changed)]),
    integer: ({ minimum = 0 }, _name, changed) => minimum + (changed ? 2 : 1),
    number: ({ minimum = 0 }, _name, changed) => minimum + (changed ? 2 : 1),
    boolean: (_schema, _name, changed) => !changed,
    string: (schema, name, changed) => this.#text(schema, name, changed),
  };

  #text({ format, pattern }: Schema, name: string, changed: boolean): string {
    if (format === 'date-time') return '2026-01-05T12:00:00.000Z';
    if (format === 'date') return '2026-01-05';
    const form = pattern === undefined ? undefined : idFormOf(firstOf(pattern));
    if (form !== undefined) return this.#id(form);
    if (format === 'uuid') return this.#id('<uuid>');
    if (pattern !== undefined) {
      const fitting = fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
      return fc.sample(fitting, { numRuns: 1, seed: changed ? 2 : 1 })[0] ?? '';
    }
    if (name.startsWith('sealed')) return changed ? 'sealed1.AAAB' : 'sealed1.AAAA';
    return changed ? `other ${name}` : name;
  }

  #id(form: string): string {
    const known = this.#ids.get(form);
    if (known !== undefined) return known;
    this.#lastId += 1;
    const id = form.replace('<uuid>', `${uuidStart}${String(this.#lastId).padStart(12, '0')}`);
    this.#ids.set(form, id);
    return id;
  }
}

/** For a pattern with alternatives, the first. */
const firstOf = (pattern: string): string => pattern.replace(/\(([^()|]+)\|[^()]+\)/, '$1');
