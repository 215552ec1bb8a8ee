import { invalid, pointer, type FieldError } from '../../contracts/field-errors.ts';
import type { OperationInput } from '../../contracts/fleet/operations.ts';
import type { Operation } from '../../contracts/operations.ts';
import { functionKeys, isKey } from '../../contracts/keys.ts';
import { extractTypes, type Action, type Condition } from '../../contracts/resources/session.ts';
import { targetNames, type Target } from '../../contracts/resources/target.ts';
import { addressErrors, type AddressRules } from '../../infra/outbound/address-rules.ts';

type Errors = readonly FieldError[];
type BodyChecks = {
  readonly [O in Operation]?: (body: OperationInput<O>, rules: AddressRules) => Errors;
};

/** Validation beyond the schema, before the browser is claimed. */
const checks: BodyChecks = {
  navigate: ({ url }, rules) => urlErrors(url, rules),
  interact: ({ action, dialogs }) => [...actionErrors(action), ...dialogErrors(dialogs)],
  wait: ({ condition }) => conditionErrors(condition, '/body/condition'),
  capture: captureErrors,
  extract: ({ schema }) => schemaErrors(schema, '/body/schema'),
  login: ({ url, success }, rules) => [
    ...(url === undefined ? [] : urlErrors(url, rules)),
    ...(success === undefined ? [] : conditionErrors(success, '/body/success')),
  ],
};

/** Throws `validation-failed` with all invalid fields. */
export function assertSound<O extends Operation>(
  operation: O,
  body: OperationInput<O>,
  rules: AddressRules,
): void {
  const check: BodyChecks[O] = checks[operation];
  const errors = check?.(body, rules) ?? [];
  if (errors.length > 0) throw invalid(...errors);
}

const urlErrors = (url: string, rules: AddressRules): Errors =>
  url === 'about:blank' ? [] : addressErrors('/body/url', url, rules);

const required = (path: string, message: string): FieldError => ({ path, code: 'required', message });

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;
type ActionChecks = { readonly [K in Action['kind']]?: (action: ActionOf<K>) => Errors };

const actionErrors = <K extends Action['kind']>(action: ActionOf<K> & { kind: K }): Errors => {
  const check: ActionChecks[K] = actionChecks[action.kind];
  return check?.(action) ?? [];
};

/** An element is named in exactly one way, and `name` only with a role. */
function namingErrors(target: Target, path: string, isRequired = true): Errors {
  const given = targetNames.filter((key) => target[key] !== undefined);
  if (given.length > 1) {
    const message = `cannot be given beside ${given.slice(1).join(' and ')}: an element is named in one way`;
    return [{ path: `${path}/${given[0] ?? ''}`, code: 'target', message }];
  }
  if (target.name !== undefined && target.role === undefined)
    return [required(`${path}/role`, 'is required with name')];
  return given.length === 0 && isRequired
    ? [required(`${path}/selector`, `or one of ${targetNames.slice(1).join(', ')} is required`)]
    : [];
}

function captureErrors(body: OperationInput<'capture'>): Errors {
  const naming = namingErrors(body, '/body', false);
  if (!body.full_page || targetNames.every((key) => body[key] === undefined)) return naming;
  const message = 'cannot be given beside an element, of which alone a screenshot is taken';
  return [...naming, { path: '/body/full_page', code: 'target', message }];
}

/** The text is the answer to an accepted prompt. */
function dialogErrors(dialogs: OperationInput<'interact'>['dialogs']): Errors {
  if (dialogs?.prompt_text === undefined || dialogs.accept) return [];
  const message = 'is only for dialogs that are accepted';
  return [{ path: '/body/dialogs/prompt_text', code: 'accept', message }];
}

type Place = Pick<ActionOf<'tap'>, 'x' | 'y'> & Target;

function placeErrors({ x, y, ...target }: Place, path: string): Errors {
  const naming = namingErrors(target, path, false);
  if (naming.length > 0) return naming;
  if (targetNames.some((key) => target[key] !== undefined)) {
    const message = 'cannot be given beside an element: it is either the element or a point';
    const given = Object.entries({ x, y }).filter(([, value]) => value !== undefined);
    return given.map(([name]) => ({ path: `${path}/${name}`, code: 'target', message }));
  }
  if (x !== undefined && y !== undefined) {
    const message = 'cannot be given beside a point, which is of the whole page';
    return target.frame === undefined ? [] : [{ path: `${path}/frame`, code: 'target', message }];
  }
  if (x !== undefined) return [required(`${path}/y`, 'is required with x')];
  if (y !== undefined) return [required(`${path}/x`, 'is required with y')];
  return [required(`${path}/selector`, 'is required if x and y are not given')];
}

const actionPath = '/body/action';
const pressErrors = (action: Place): Errors => placeErrors(action, actionPath);
const elementErrors = (action: Target): Errors => namingErrors(action, actionPath);

function keyErrors({ key, ...target }: ActionOf<'press'>): Errors {
  const naming = namingErrors(target, actionPath, false);
  if (isKey(key)) return naming;
  const message = `must be one character, one of ${functionKeys.join(', ')}, or a code such as KeyA or Digit1`;
  return [...naming, { path: `${actionPath}/key`, code: 'enum', message }];
}

const selectErrors = ({ values, indexes, ...target }: ActionOf<'select'>): Errors => [
  ...elementErrors(target),
  ...(values || indexes ? [] : [required(`${actionPath}/values`, 'or indexes is required')]),
];
const uploadErrors = ({ handle, files, ...target }: ActionOf<'upload'>): Errors => [
  ...elementErrors(target),
  ...(handle || files ? [] : [required(`${actionPath}/files`, 'or handle is required')]),
];
const dragErrors = ({ from, to }: ActionOf<'drag'>): Errors => [
  ...placeErrors(from, `${actionPath}/from`),
  ...placeErrors(to, `${actionPath}/to`),
];

const actionChecks: ActionChecks = {
  tap: pressErrors,
  double_tap: pressErrors,
  long_press: pressErrors,
  type: ({ text: _typed, ...target }) => elementErrors(target),
  pinch: pressErrors,
  press: keyErrors,
  clear: elementErrors,
  focus: elementErrors,
  select: selectErrors,
  check: elementErrors,
  scroll: (action) => namingErrors(action, actionPath, false),
  upload: uploadErrors,
  drag: dragErrors,
};

/** A pattern between slashes, with optional flags, is a regular expression; any other text is a glob. */
function conditionErrors(condition: Condition, path: string): Errors {
  if (condition.kind === 'selector') return namingErrors(condition, path);
  const [, expression, flags] =
    condition.kind === 'url' ? (/^\/(.+)\/([a-z]*)$/s.exec(condition.pattern) ?? []) : [];
  if (expression === undefined || isExpression(expression, flags)) return [];
  return [
    {
      path: `${path}/pattern`,
      code: 'pattern',
      message: 'must be a valid regular expression between slashes',
    },
  ];
}

function isExpression(source: string, flags: string | undefined): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';

/** The rules for each keyword of the subset. */
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

/**
 * Maximal reported errors, and characters of a name in their paths. The client chooses the number of both, and each path has all names
 * above it: together they would take many times the memory of the process.
 */
const most = { errors: 20, name: 100 } as const;

/** Adds the errors of a schema to those found before, up to the maximum. */
function schemaErrors(schema: unknown, path: string, found: FieldError[] = []): Errors {
  if (found.length >= most.errors) return found;
  if (!isObject(schema)) {
    found.push({ path, code: 'type', message: 'must be a schema' });
    return found;
  }
  for (const [keyword, isSound, message] of keywords)
    if (schema[keyword] !== undefined && !isSound(schema[keyword]))
      found.push({ path: `${path}/${keyword}`, code: codeOf(keyword), message });
  const { properties, items } = schema;
  if (isObject(properties))
    for (const [name, property] of Object.entries(properties))
      schemaErrors(property, `${path}/properties/${shown(name)}`, found);
  if (isObject(items)) schemaErrors(items, `${path}/items`, found);
  return found.slice(0, most.errors);
}

/** A name in a path. Cutting may halve a surrogate pair. */
const shown = (name: string): string => pointer(name.slice(0, most.name).toWellFormed());

const codeOf = (keyword: string): string => (keyword === 'type' ? 'enum' : 'type');
