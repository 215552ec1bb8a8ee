import type { JsonObject } from '../json-schema.ts';

/** A difference between two documents. `where` is a path from the outside: `GET /v1/sessions · 200 · data[].id`. */
export interface Difference {
  readonly kind:
    | 'removed'
    | 'type-changed'
    | 'tightened'
    | 'default-changed'
    | 'status-changed'
    | 'slug-changed'
    | 'value-sent'
    | 'added'
    | 'loosened';
  readonly where: string;
  readonly what: string;
}

interface Comparing {
  readonly where: string;
  /** Whether clients or the service write the described data. */
  readonly side: 'request' | 'response';
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Visited pairs of references, to stop at recursive ones. */
  readonly seen?: ReadonlySet<string>;
}

/** The differences between two schemas, by their effect on clients. */
export function compareSchemas(old: JsonObject, now: JsonObject, at: Comparing): readonly Difference[] {
  const { seen = new Set<string>() } = at;
  const pair = JSON.stringify([old.$ref, now.$ref]);
  if (old.$ref !== undefined && seen.has(pair)) return [];
  const within = { ...at, seen: new Set([...seen, pair]) };
  const [before, after] = [resolved(old, at.before), resolved(now, at.after)];
  const alternatives = [variantsOf(before), variantsOf(after)] as const;
  if (alternatives[0].length > 1 || alternatives[1].length > 1)
    return compareVariants(...alternatives, within);
  const [one = before, other = after] = [alternatives[0][0], alternatives[1][0]];
  return [
    ...compareTypes(one, other, within),
    ...compareValues(one, other, within),
    ...compareLimits(one, other, within),
    ...compareDefaults(one, other, within),
    ...compareFields(one, other, within),
    ...compareItems(one, other, within),
  ];
}

/** Resolves references, and drops the notes that a document adds by `allOf`. */
function resolved(schema: JsonObject, document: JsonObject): JsonObject {
  const { allOf, ...target } = referredTo(schema, document);
  const [whole] = (allOf ?? []) as readonly JsonObject[];
  return whole === undefined ? target : resolved(whole, document);
}

/** Resolves a reference; anything else is returned as it is. */
export function referredTo(node: JsonObject, document: JsonObject): JsonObject {
  const { $ref } = node;
  if (typeof $ref !== 'string') return node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((from, key) => (from as JsonObject | undefined)?.[key], document);
  return (target ?? {}) as JsonObject;
}

const difference = (kind: Difference['kind'], { where }: Comparing, what: string): Difference => ({
  kind,
  where,
  what,
});

const variantsOf = ({ anyOf, oneOf, ...rest }: JsonObject): readonly JsonObject[] => {
  const variants = (anyOf ?? oneOf) as readonly JsonObject[] | undefined;
  return variants ?? [rest];
};

/** What distinguishes a variant from its siblings: fields with one value, a reference, its type. */
function nameOf(variant: JsonObject, document: JsonObject): string {
  const { properties = {}, type, const: value } = resolved(variant, document);
  const constants = Object.entries(properties as Record<string, JsonObject>).flatMap(([name, field]) =>
    field.const === undefined ? [] : [`${name} ${JSON.stringify(field.const)}`],
  );
  const reference =
    typeof variant.$ref === 'string' ? variant.$ref.slice(variant.$ref.lastIndexOf('/') + 1) : undefined;
  return constants[0] ?? reference ?? JSON.stringify(value ?? type);
}

/** Matches variants by name, in any order; a single renamed one is matched as the remaining one. */
function compareVariants(
  old: readonly JsonObject[],
  now: readonly JsonObject[],
  at: Comparing,
): readonly Difference[] {
  const known = named(old, at.before);
  const fresh = named(now, at.after);
  const [gone, come] = [without(known, fresh), without(fresh, known)];
  const [[was, is] = []] = gone.length === 1 && come.length === 1 ? [[gone[0], come[0]]] : [];
  if (was !== undefined && is !== undefined) fresh.set(was, fresh.get(is) ?? {}).delete(is);
  const sends = at.side === 'response';
  return [
    ...[...known].flatMap(([name, variant]) => {
      const successor = fresh.get(name);
      if (successor === undefined)
        return [difference(sends ? 'type-changed' : 'tightened', at, `${name} is gone`)];
      return compareSchemas(variant, successor, { ...at, where: `${at.where} (${name})` });
    }),
    ...without(fresh, known).map((name) =>
      difference(sends ? 'value-sent' : 'loosened', at, `${name} is new`),
    ),
  ];
}

const without = (
  some: ReadonlyMap<string, unknown>,
  others: ReadonlyMap<string, unknown>,
): readonly string[] => [...some.keys()].filter((name) => !others.has(name));

const named = (variants: readonly JsonObject[], document: JsonObject): Map<string, JsonObject> => {
  const names = new Map<string, JsonObject>();
  for (const variant of variants) {
    const name = nameOf(variant, document);
    names.set(names.has(name) ? `${name} ${names.size}` : name, variant);
  }
  return names;
};

const typesOf = ({ type }: JsonObject): readonly string[] =>
  type === undefined ? [] : [type].flat().map(String).sort();

function compareTypes(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (old.join() === now.join()) return [];
  const widened = old.length > 0 && (now.length === 0 || old.every((type) => now.includes(type)));
  const isLoosened = at.side === 'request' && widened;
  const what = `was ${old.join(' or ') || 'anything'} and is ${now.join(' or ') || 'anything'}`;
  return [difference(isLoosened ? 'loosened' : 'type-changed', at, what)];
}

/** The values of a closed set; undefined if it is open. */
const valuesOf = ({ enum: values, const: only }: JsonObject): readonly string[] | undefined => {
  if (only !== undefined) return [JSON.stringify(only)];
  return (values as readonly unknown[] | undefined)?.map((value) => JSON.stringify(value));
};

function compareValues(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now === undefined) return [];
  const sends = at.side === 'response';
  if (now === undefined) return [difference(sends ? 'value-sent' : 'loosened', at, 'takes any value now')];
  if (old === undefined)
    return [difference(sends ? 'added' : 'tightened', at, `is one of ${now.join(', ')} now`)];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .map((value) => difference(sends ? 'removed' : 'tightened', at, `${value} is gone`)),
    ...now
      .filter((value) => !old.includes(value))
      .map((value) => difference(sends ? 'value-sent' : 'loosened', at, `${value} is new`)),
  ];
}

/** Limits; true if a larger number permits more. */
const limits: Readonly<Record<string, boolean>> = {
  minimum: false,
  exclusiveMinimum: false,
  minLength: false,
  minItems: false,
  minProperties: false,
  maximum: true,
  exclusiveMaximum: true,
  maxLength: true,
  maxItems: true,
  maxProperties: true,
};
const forms = ['pattern', 'format', 'multipleOf', 'uniqueItems'] as const;

/** Compares limits of requests. In answers, limits are no promise. */
function compareLimits(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  if (at.side === 'response') return [];
  const numbers = Object.entries(limits).flatMap(([limit, upper]) => {
    const [old, now] = [before[limit], after[limit]] as readonly (number | undefined)[];
    if (old === now) return [];
    const isLooser = now === undefined || (old !== undefined && now > old === upper);
    return [
      difference(
        isLooser ? 'loosened' : 'tightened',
        at,
        `${limit} was ${old ?? 'none'} and is ${now ?? 'none'}`,
      ),
    ];
  });
  const texts = forms.flatMap((form) => {
    const [old, now] = [before[form], after[form]];
    if (old === now) return [];
    return [
      difference(
        now === undefined ? 'loosened' : 'tightened',
        at,
        `${form} was ${JSON.stringify(old)} and is ${JSON.stringify(now)}`,
      ),
    ];
  });
  return [...numbers, ...texts, ...compareOpenness(before, after, at)];
}

function compareOpenness(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const [old, now] = [before, after].map(({ additionalProperties }) => additionalProperties !== false);
  if (old === now) return [];
  return [
    difference(
      now ? 'loosened' : 'tightened',
      at,
      now ? 'takes other fields now' : 'takes no other fields now',
    ),
  ];
}

function compareDefaults(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const [old, now] = [before.default, after.default].map((value) => JSON.stringify(value));
  if (old === now) return [];
  return [difference('default-changed', at, `was ${old ?? 'none'} and is ${now ?? 'none'}`)];
}

const fieldsOf = ({ properties }: JsonObject) => (properties ?? {}) as Readonly<Record<string, JsonObject>>;
const requiredIn = ({ required }: JsonObject) => new Set((required ?? []) as readonly string[]);

function compareFields(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const [needed, needs] = [requiredIn(before), requiredIn(after)];
  const field = (name: string) => ({ ...at, where: `${at.where} · ${name}` });
  const known = Object.entries(old).flatMap(([name, schema]) => {
    const successor = now[name];
    if (successor === undefined) return [difference('removed', field(name), 'the field')];
    return [
      ...presence(needed.has(name), needs.has(name), field(name)),
      ...compareSchemas(schema, successor, field(name)),
    ];
  });
  const fresh = Object.keys(now).filter((name) => !(name in old));
  return [
    ...known,
    ...fresh.map((name) =>
      at.side === 'request' && needs.has(name)
        ? difference('tightened', field(name), 'a new field is required')
        : difference('added', field(name), 'the field'),
    ),
  ];
}

/** A client may leave out optional fields, and rely on required ones of answers. */
function presence(was: boolean, is: boolean, at: Comparing): readonly Difference[] {
  if (was === is) return [];
  if (at.side === 'request')
    return [difference(is ? 'tightened' : 'loosened', at, is ? 'is required now' : 'is optional now')];
  return is
    ? [difference('added', at, 'is always sent now')]
    : [difference('removed', at, 'is not always sent now')];
}

function compareItems(before: JsonObject, after: JsonObject, at: Comparing): readonly Difference[] {
  const inner = { ...at, where: `${at.where}[]` };
  const [items, values] = [
    [before.items, after.items],
    [before.additionalProperties, after.additionalProperties],
  ].map(([old, now]) => (isSchema(old) && isSchema(now) ? compareSchemas(old, now, inner) : []));
  return [...(items ?? []), ...(values ?? [])];
}

const isSchema = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
