import { invalid, pointer, type FieldError } from '../contracts/field-errors.ts';
import type { OperationInput } from '../contracts/fleet/operations.ts';
import type { Operation } from '../contracts/operations.ts';
import { extractTypes, namedKeys, type Action, type Condition } from '../contracts/resources/session.ts';
import { OutboundRefused, type OutboundGuard } from '../infra/outbound/guard.ts';

/** What may be asked for, as far as an address says it of itself. */
export type AddressRules = Pick<OutboundGuard, 'checkText'>;

type Errors = readonly FieldError[];
type BodyChecks = {
  readonly [O in Operation]?: (body: OperationInput<O>, rules: AddressRules) => Errors;
};

/** What is wrong with a body that its schema cannot say. It is refused before the browser is claimed: nothing changes. */
const checks: BodyChecks = {
  navigate: ({ url }, rules) => addressErrors(url, rules),
  interact: ({ action, dialogs }) => [...actionErrors(action), ...dialogErrors(dialogs)],
  wait: ({ condition }) => conditionErrors(condition, '/body/condition'),
  extract: ({ schema }) => schemaErrors(schema, '/body/schema'),
  login: ({ url, success }, rules) => [
    ...(url === undefined ? [] : addressErrors(url, rules)),
    ...(success === undefined ? [] : conditionErrors(success, '/body/success')),
  ],
};

/** Throws `validation-failed` with every field that is wrong. */
export function assertSound<O extends Operation>(
  operation: O,
  body: OperationInput<O>,
  rules: AddressRules,
): void {
  const check: BodyChecks[O] = checks[operation];
  const errors = check?.(body, rules) ?? [];
  if (errors.length > 0) throw invalid(...errors);
}

function addressErrors(url: string, rules: AddressRules): Errors {
  if (url === 'about:blank') return [];
  try {
    rules.checkText(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    return [{ path: '/body/url', code: 'address', message: asPredicate(error.message) }];
  }
}

/** A sentence of its own as the end of one that begins with the field. */
const asPredicate = (sentence: string): string =>
  `is refused: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;

const required = (path: string, message: string): FieldError => ({ path, code: 'required', message });

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;
type ActionChecks = { readonly [K in Action['kind']]?: (action: ActionOf<K>) => Errors };

const actionErrors = <K extends Action['kind']>(action: ActionOf<K> & { kind: K }): Errors => {
  const check: ActionChecks[K] = actionChecks[action.kind];
  return check?.(action) ?? [];
};

/** A text is what an accepted prompt gives. */
function dialogErrors(dialogs: OperationInput<'interact'>['dialogs']): Errors {
  if (dialogs?.prompt_text === undefined || dialogs.accept) return [];
  const message = 'is only for dialogs that are accepted';
  return [{ path: '/body/dialogs/prompt_text', code: 'accept', message }];
}

function targetErrors({ selector, x, y }: ActionOf<'tap' | 'double_tap' | 'long_press'>): Errors {
  if (selector !== undefined || (x !== undefined && y !== undefined)) return [];
  if (x !== undefined) return [required('/body/action/y', 'is required beside x')];
  if (y !== undefined) return [required('/body/action/x', 'is required beside y')];
  return [required('/body/action/selector', 'is required where x and y are not given')];
}

function keyErrors({ key }: ActionOf<'press'>): Errors {
  if (namedKeys.some((name) => name === key) || Array.from(key).length === 1) return [];
  const message = `must be one character or one of ${namedKeys.join(', ')}`;
  return [{ path: '/body/action/key', code: 'enum', message }];
}

const actionChecks: ActionChecks = {
  tap: targetErrors,
  double_tap: targetErrors,
  long_press: targetErrors,
  press: keyErrors,
};

/** A pattern between slashes is a regular expression; any other text is a glob. */
function conditionErrors(condition: Condition, path: string): Errors {
  const [, expression] = condition.kind === 'url' ? (/^\/(.+)\/$/.exec(condition.pattern) ?? []) : [];
  if (expression === undefined || isExpression(expression)) return [];
  return [
    {
      path: `${path}/pattern`,
      code: 'pattern',
      message: 'must be a valid regular expression between slashes',
    },
  ];
}

function isExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';

/** What each keyword of the subset must be, where it is given. */
const keywords: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
  [
    'type',
    (value) => extractTypes.some((type) => type === value),
    `must be one of ${extractTypes.join(', ')}`,
  ],
  ['properties', isObject, 'must be an object of schemas'],
  ['items', isObject, 'must be a schema'],
  ['required', (value) => Array.isArray(value) && value.every(isText), 'must be a list of names'],
  ['enum', Array.isArray, 'must be a list of values'],
  ['x-selector', isText, 'must be a CSS selector'],
  ['x-attribute', isText, 'must be the name of an attribute'],
];

function schemaErrors(schema: unknown, path: string): FieldError[] {
  if (!isObject(schema)) return [{ path, code: 'type', message: 'must be a schema' }];
  const own = keywords
    .filter(([keyword, isSound]) => schema[keyword] !== undefined && !isSound(schema[keyword]))
    .map(([keyword, , message]) => ({ path: `${path}/${keyword}`, code: codeOf(keyword), message }));
  const { properties, items } = schema;
  const nested = isObject(properties)
    ? Object.entries(properties).flatMap(([name, property]) =>
        schemaErrors(property, `${path}/properties/${pointer(name)}`),
      )
    : [];
  const item = isObject(items) ? schemaErrors(items, `${path}/items`) : [];
  return [...own, ...nested, ...item];
}

const codeOf = (keyword: string): string => (keyword === 'type' ? 'enum' : 'type');
