import { textOf } from './dom.ts';
import { Failure, refusal } from './failure.ts';
import { isSecret } from './secrets.ts';
import { allBySelector } from './targets.ts';

/**
 * The subset of JSON Schema that an extraction supports; `x-selector` selects the element, `x-attribute` what to read.
 */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly 'x-selector'?: string;
  readonly 'x-attribute'?: string;
}

/** When the extraction in progress must end. It is synchronous: nothing else runs meanwhile, and nothing can cancel it. */
let endsAt = 0;

export function extraction(
  { schema, selector }: { readonly schema: Schema; readonly selector?: string },
  limit: number,
) {
  endsAt = limit;
  const scope = selector === undefined ? document : allBySelector(selector)[0];
  const data = scope && extract(schema, scope, '');
  return { data: data ?? null, matched: !isEmpty(data) };
}

type Reader = (schema: Schema, element: Scope, path: string, name?: string) => unknown;
type Scope = Document | Element;

const readers: Readonly<Record<string, Reader>> = {
  object: (schema, scope, path) => {
    const value: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const found = extract(property, scope, `${path}/${name}`, name);
      if (found !== undefined) value[name] = found;
    }
    for (const name of schema.required ?? []) {
      if (!(name in value)) throw unsatisfied(`${path}/${name}`);
    }
    return Object.keys(value).length === 0 ? undefined : value;
  },
  array: (schema, scope, path, name) => {
    const own = schema['x-selector'];
    const { 'x-selector': inner, ...items } = schema.items ?? {};
    return allBySelector(own ?? inner ?? byName(name), scope)
      .map((element, index) =>
        own === undefined || inner === undefined
          ? extractFrom(items, element, `${path}/${index}`)
          : extract(schema.items ?? {}, element, `${path}/${index}`),
      )
      .filter((value) => value !== undefined);
  },
  string: (schema, scope) => textFrom(schema, elementOf(scope)),
  number: (schema, scope) => numberFrom(schema, elementOf(scope)),
  integer: (schema, scope) => {
    const value = numberFrom(schema, elementOf(scope));
    return Number.isInteger(value) ? value : undefined;
  },
  boolean: (schema, scope) => {
    const element = elementOf(scope);
    const attribute = schema['x-attribute'];
    if (attribute !== undefined) return element.hasAttribute(attribute);
    return element instanceof HTMLInputElement ? element.checked : true;
  },
};

const addresses = ['href', 'src', 'action'];
/** As it is written if it is no address, like `a.href`. */
const absolute = (address: string): string =>
  URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;

function textFrom(schema: Schema, element: Element): string | undefined {
  const attribute = schema['x-attribute'];
  // Secrets count as absent.
  if (isField(element) && isSecret(element) && [undefined, 'value'].includes(attribute)) return undefined;
  if (attribute === undefined) return isField(element) ? element.value : textOf(element);
  const value = element.getAttribute(attribute);
  if (value === null) return undefined;
  return addresses.includes(attribute) ? absolute(value) : value;
}

const isField = (element: Element) =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

function numberFrom(schema: Schema, element: Element): number | undefined {
  const digits = /-?\d[\d,]*(\.\d+)?/.exec(textFrom(schema, element) ?? '')?.[0].replaceAll(',', '');
  return digits === undefined ? undefined : Number(digits);
}

const unsatisfied = (path: string) =>
  new Failure(
    'page',
    'condition_not_met',
    `What the page holds does not satisfy the schema at ${path || '/'}.`,
  );

/** The selector for a property without `x-selector`. */
function byName(name: string | undefined): string {
  if (name === undefined) return ':scope';
  const escaped = CSS.escape(name);
  return `[itemprop="${escaped}"], [data-field="${escaped}"], [name="${escaped}"], #${escaped}, .${escaped}`;
}

/** A document has no text of its own; its root element has. */
const elementOf = (scope: Scope): Element => (scope instanceof Document ? scope.documentElement : scope);

const typeOf = ({ type, properties, items }: Schema): string =>
  type ?? (properties ? 'object' : items ? 'array' : 'string');

function extract(schema: Schema, scope: Scope, path: string, name?: string): unknown {
  const type = typeOf(schema);
  if (type === 'array') return extractFrom(schema, scope, path, name);
  if (type === 'object' && schema['x-selector'] === undefined) return extractFrom(schema, scope, path);
  const selector = schema['x-selector'] ?? byName(name);
  const element = selector === ':scope' ? elementOf(scope) : allBySelector(selector, scope)[0];
  return element && extractFrom(schema, element, path);
}

function extractFrom(schema: Schema, scope: Scope, path: string, name?: string): unknown {
  if (performance.now() > endsAt)
    throw new Failure('timeout', 'condition_not_met', 'The page has too many elements to extract in time.');
  const read = readers[typeOf(schema)];
  if (!read) throw refusal(`The schema asks for a type at ${path || '/'} that is not known.`);
  const value = read(schema, scope, path, name);
  if (value !== undefined && schema.enum && !schema.enum.includes(value)) throw unsatisfied(path);
  return value;
}

/** Whether nothing was found, not even in nested lists and objects. */
function isEmpty(found: unknown): boolean {
  if (Array.isArray(found)) return found.every(isEmpty);
  if (typeof found === 'object' && found !== null) return Object.values(found).every(isEmpty);
  return found === undefined;
}
