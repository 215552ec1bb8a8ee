import { Type, closed, nullable } from '../../../../contracts/schema.ts';
import type { Login, LoginResult } from '../../../../contracts/resources/session-login.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import { timeoutFailure, type OperationLimits } from '../../node/driver.ts';
import { shape, type ShapeOf } from '../../shape.ts';
import { PageReplaced } from '../page-failures.ts';
import type { Page } from '../page.ts';
import { perform } from './interact.ts';
import { open } from './navigate.ts';
import { pressElement } from './press.ts';
import { typeInto } from './typing.ts';
import { holds, pause } from './wait.ts';

const Field = nullable(closed({ handle: Type.Integer(), type: Type.String() }));
const loginForm = shape(
  closed({
    username: Field,
    password: Field,
    otp: Field,
    submit: nullable(Type.Integer()),
  }),
);
type LoginForm = ShapeOf<typeof loginForm>;

const fieldNames = ['username', 'password', 'otp'] as const;
type FieldName = (typeof fieldNames)[number];
/**
 * Milliseconds a page may take to show the answer to a submitted form once nothing is in flight any more. If its fields are still there
 * after that, they were refused.
 */
const answerMs = 1_500;
/** Milliseconds after a form was sent in which requests in flight count as its answer. Some pages always have one. */
const slowMs = 20_000;
const everyMs = 100;
/** Milliseconds before the limit in which the operation ends with what it knows. */
const lastMs = 300;

type Outcome = Pick<LoginResult, 'status' | 'fields'>;

/**
 * Fills in and submits forms, step by step, until the page is signed in: by `success`, or without one, when there are
 * no more fields. A field without a given value results in `needs_input`; a field that is shown again in `failed`.
 */
export async function login(
  page: Page,
  guard: OutboundGuard,
  { url, fields, selectors = {}, success }: Login,
  limits: OperationLimits,
): Promise<Outcome> {
  if (url !== undefined) await open(page, guard, { url }, limits);
  const filled = new Set<FieldName>();
  const sent: Sent = { at: performance.now(), quietAt: performance.now() };
  for (;;) {
    if (filled.size > 0 && (await isThere(page, success, limits))) return { status: 'authenticated' };
    const form = await look(page, selectors, limits);
    const wanted = stillWanted(form, filled);
    if (form && wanted.length > 0) {
      const missing = wanted.filter((name) => fields[name] === undefined);
      if (missing.length > 0) return needsInput(form, missing);
      await fill(page, form, wanted, fields, limits);
      wanted.forEach((name) => filled.add(name));
      sent.at = sent.quietAt = performance.now();
    } else if (
      isOver(filled, await quietSince(page, sent, limits), limits) &&
      !mayStillCome(form, success, limits)
    ) {
      return { status: wasRefused(form, success) ? 'failed' : 'authenticated' };
    }
    await pause(everyMs, limits);
  }
}

const isThere = async (page: Page, success: Login['success'], limits: OperationLimits): Promise<boolean> =>
  success !== undefined && (await holds(page, success, limits));

interface Sent {
  at: number;
  /** Since when nothing has been in flight. */
  quietAt: number;
}

/** A server may take seconds to check a password. Meanwhile the page shows the form as it was, or none. */
async function quietSince(page: Page, sent: Sent, limits: OperationLimits): Promise<number> {
  const now = performance.now();
  if (now < Math.min(sent.at + slowMs, limits.endsAt - lastMs) && (await page.isBusy(limits)))
    sent.quietAt = performance.now();
  return sent.quietAt;
}

/** The page had its time to answer the submitted form. If it never showed one, the operation fails. */
function isOver(filled: ReadonlySet<FieldName>, quietAt: number, { endsAt }: OperationLimits): boolean {
  if (filled.size > 0) return performance.now() - quietAt > answerMs;
  if (performance.now() < endsAt - everyMs) return false;
  throw timeoutFailure('element_not_found', 'The page has no sign-in form.');
}

/** A page without fields may still lead to `success`, for as long as there is time. */
const mayStillCome = (
  form: LoginForm | undefined,
  success: Login['success'],
  { endsAt }: OperationLimits,
): boolean => success !== undefined && !showsFields(form) && performance.now() < endsAt - lastMs;

/** There is no new field: the page has signed in, or shows filled fields again. */
const wasRefused = (form: LoginForm | undefined, success: Login['success']): boolean =>
  success !== undefined || showsFields(form);

const showsFields = (form: LoginForm | undefined): boolean => stillWanted(form, new Set()).length > 0;

/** The fields that the page shows, without those that were filled. */
const stillWanted = (form: LoginForm | undefined, filled: ReadonlySet<FieldName>): FieldName[] =>
  fieldNames.filter((name) => form?.[name] && !filled.has(name));

const needsInput = (form: LoginForm, missing: readonly FieldName[]): Outcome => ({
  status: 'needs_input',
  fields: missing.map((name) => ({ name, type: form[name]?.type ?? 'text' })),
});

/** Undefined while the page is being replaced by its answer. */
async function look(page: Page, selectors: object, limits: OperationLimits): Promise<LoginForm | undefined> {
  try {
    return await page.run('loginForm', selectors, loginForm, limits);
  } catch (error) {
    if (error instanceof PageReplaced) return undefined;
    throw error;
  }
}

async function fill(
  page: Page,
  form: LoginForm,
  wanted: readonly FieldName[],
  fields: Login['fields'],
  limits: OperationLimits,
): Promise<void> {
  for (const name of wanted) {
    const field = form[name];
    const text = fields[name];
    if (field === null || text === undefined) continue;
    const located = { frame: [], target: { handle: field.handle } };
    await typeInto(page, located, { text, clear: true, sensitive: name !== 'username', delay_ms: 0 }, limits);
  }
  if (form.submit === null) await perform(page, { kind: 'press', key: 'Enter' }, limits);
  else await pressElement(page, 'tap', { frame: [], target: { handle: form.submit } }, limits);
}
