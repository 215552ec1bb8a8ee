import type { Clock } from '../../platform/clock.ts';
import { elsewhere } from '../../../contracts/fleet/operations.ts';
import type { Login, LoginResult } from '../../../contracts/resources/session-login.ts';
import type { Action, Capture, Condition } from '../../../contracts/resources/session.ts';
import {
  pageFailure,
  timeoutFailure,
  unavailableFailure,
  type OperationLimits,
  type OperationTable,
} from '../node/driver.ts';
import { namedElement } from '../node/named-element.ts';
import { timed } from '../node/timed.ts';
import { explained } from '../node/unmatched.ts';
import { isOf, sitesOf } from '../sites.ts';
import type { MetElement, Target } from '../../../contracts/resources/target.ts';
import { unexpired } from './leftovers.ts';
import { namesElement, roleOf } from './targets.ts';
import type { Tab } from './tab.ts';
import { takeTime } from './take-time.ts';

/** A one-pixel PNG and a minimal PDF: valid captures. */
const captures = {
  screenshot:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString(
    'base64',
  ),
} as const;

export function simulatedOperations(tab: Tab, clock: Clock): OperationTable {
  const now = () => clock.now().getTime();
  return {
    navigate: ({ url }, limits) =>
      timed(now, async () => {
        const loaded = await tab.load(url, limits);
        return { final_url: loaded.url, status: loaded.status };
      }),
    interact: ({ action, strict = false, only_on }, limits) =>
      timed(now, async () => {
        if (bringing.includes(action.kind)) assertMayTake(tab.url, only_on);
        if (!strict) return { kind: action.kind, summary: await act(tab, action, limits) };
        return actStrictly(tab.strictly(), action, limits);
      }),
    wait: ({ condition }, limits) =>
      timed(now, async () => {
        await meet(tab, condition, limits);
        return { matched: true as const };
      }),
    state_capture: async () => stateOf(tab, clock),
    capture: ({ kind, ...target }) =>
      timed(now, () => {
        if (namesElement(target)) tab.find(target);
        return captureOf(tab, kind);
      }),
    extract: ({ schema }) =>
      timed(now, () => {
        const data = extractFrom(tab, schema);
        return explained({ data, matched: data !== null });
      }),
    search: () => Promise.reject(unavailableFailure('No search engine is configured.')),
    login: (input, limits) =>
      timed(now, async () => ({ ...(await signIn(tab, input, limits)), final_url: tab.url })),
  };
}

const stateOf = (tab: Tab, clock: Clock) => ({
  url: tab.url,
  title: tab.page.title,
  cookies: unexpired(tab.cookies),
  local_storage: tab.localStorage(),
  captured_at: clock.now().toISOString(),
});

const bringing: readonly Action['kind'][] = ['type', 'press', 'select', 'upload'];

function assertMayTake(url: string, sites: readonly string[] | undefined): void {
  if (sites?.some((site) => isOf(new URL(url), site)) === false)
    throw pageFailure('invalid_request', elsewhere);
}

async function actStrictly(tab: Tab, action: Action, limits: OperationLimits) {
  const met = metBy(tab, namedElement(action));
  const summary = await act(tab, action, limits);
  return { kind: action.kind, summary, ...(met && { met }) };
}

/** Describes an action's element so that it can be found on another visit. */
export function metBy(tab: Tab, target: Target): MetElement | undefined {
  if (!namesElement(target)) return undefined;
  const { selectors, text = '', ...element } = tab.find(target);
  const selector = selectors.find((each) => each.startsWith('#')) ?? selectors[0];
  return selector === undefined ? undefined : { selector, text, role: roleOf({ selectors, ...element }) };
}

function captureOf(tab: Tab, kind: Capture['kind']) {
  const html = `<html><head><title>${tab.page.title}</title></head><body></body></html>`;
  const data = kind === 'dom_snapshot' ? html : captures[kind];
  const encoding = kind === 'dom_snapshot' ? ('utf8' as const) : ('base64' as const);
  return { kind, data, encoding, byte_size: Buffer.byteLength(data, encoding) };
}

async function signIn(
  tab: Tab,
  { url, site, fields, selectors }: Login,
  limits: OperationLimits,
): Promise<Pick<LoginResult, 'status' | 'fields'>> {
  if (url !== undefined) await tab.load(url, limits);
  assertMayTake(tab.url, sitesOf(site));
  const { signsInTo, wantsOtp } = tab.page;
  tab.find({ selector: selectors?.password ?? '#password' });
  if (fields.password !== 'correct' || signsInTo === undefined) return { status: 'failed' };
  if (wantsOtp && fields.otp === undefined)
    return { status: 'needs_input', fields: [{ name: 'otp', type: 'text' }] };
  await tab.load(new URL(signsInTo, tab.url).href, limits);
  return { status: 'authenticated' };
}

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;
/** Performs each kind of action. Returns a summary without anything of the page or the input. */
type Performers = {
  readonly [K in Action['kind']]: (tab: Tab, action: ActionOf<K>, limits: OperationLimits) => Promise<string>;
};

const touch = async (tab: Tab, target: Target, limits: OperationLimits) => {
  if (namesElement(target)) await tab.tap(tab.find(target), limits);
  return 'Touched the page.';
};

/** The duration of a person's gesture, or between two letters. */
const work = (ms: number, limits: OperationLimits): Promise<void> =>
  takeTime(ms, limits, () => timeoutFailure('unknown', 'The operation did not finish in time.'));

const performers: Performers = {
  tap: touch,
  double_tap: touch,
  long_press: async (tab, { duration_ms = 600, ...target }, limits) => {
    if (namesElement(target)) tab.find(target);
    await work(duration_ms, limits);
    return 'Touched the page.';
  },
  type: async (tab, { text, clear = false, delay_ms = 0, sensitive = false, ...target }, limits) => {
    const field = tab.find(target);
    if (sensitive) tab.keepSecret(field);
    if (clear) tab.fill(field, '');
    const characters = Array.from(text);
    if (delay_ms === 0) tab.fill(field, tab.value(field) + text);
    else
      for (const character of characters) {
        tab.fill(field, tab.value(field) + character);
        await work(delay_ms, limits);
      }
    return `Typed ${characters.length} characters.`;
  },
  clear: async (tab, target) => {
    tab.fill(tab.find(target), '');
    return 'Cleared the field.';
  },
  focus: async (tab, target) => {
    tab.find(target);
    return 'Focused the element.';
  },
  select: async (tab, { values = [], indexes = [], ...target }) => {
    const chosen = [...values, ...indexes];
    tab.fill(tab.find(target), chosen.join(','));
    return `Selected ${chosen.length} of the list.`;
  },
  check: async (tab, { checked, ...target }) => {
    tab.fill(tab.find(target), checked ? 'on' : '');
    return checked ? 'Checked the box.' : 'Unchecked the box.';
  },
  scroll: async (tab, target) => {
    if (namesElement(target)) tab.find(target);
    return 'Scrolled.';
  },
  press: async () => 'Pressed the key.',
  swipe: async (_tab, { duration_ms = 300 }, limits) => {
    await work(duration_ms, limits);
    return 'Swiped.';
  },
  pinch: async (_tab, { duration_ms = 300 }, limits) => {
    await work(duration_ms, limits);
    return 'Pinched.';
  },
  drag: async (_tab, _action, limits) => {
    await work(400, limits);
    return 'Dragged.';
  },
  // A simulated page opens no tabs: the only one stays in front.
  activate_tab: async () => {
    throw pageFailure('invalid_request', 'There is no such tab.');
  },
  close_tab: async (_tab, { tab_id }) => {
    throw pageFailure(
      'invalid_request',
      tab_id === undefined ? 'The last tab of a session cannot be closed.' : 'There is no such tab.',
    );
  },
  upload: async (tab, { handle, files = [], ...target }) => {
    const given = handle === undefined ? files : [tab.uploads.find(handle)];
    const names = given.map((file) => file?.name);
    if (names.includes(undefined)) throw pageFailure('invalid_request', 'There is no file of this handle.');
    tab.fill(tab.find(target), names.join(','));
    return `Chose ${names.length} files.`;
  },
};

const act = <K extends Action['kind']>(
  tab: Tab,
  action: ActionOf<K> & { kind: K },
  limits: OperationLimits,
): Promise<string> => performers[action.kind](tab, action, limits);

/** A simulated page never changes on its own, so a condition that is false stays false. */
async function meet(tab: Tab, condition: Condition, limits: OperationLimits): Promise<void> {
  const ms = condition.kind === 'delay' ? condition.ms : holds(tab, condition) ? 0 : limits.timeoutMs * 2;
  if (ms === 0) return;
  await takeTime(ms, limits, () => timeoutFailure('condition_not_met', 'The condition was not met in time.'));
}

function holds(tab: Tab, condition: Exclude<Condition, { kind: 'delay' }>): boolean {
  const { elements } = tab.page;
  switch (condition.kind) {
    case 'selector': {
      const [found] = tab.findAll(condition);
      const visible = found !== undefined && !found.hidden;
      const attached = found !== undefined;
      return { visible, attached, hidden: !visible, detached: !attached }[condition.state ?? 'visible'];
    }
    case 'url':
      return tab.url.includes(condition.pattern.replaceAll('*', ''));
    case 'load_state':
      return true;
    case 'text':
      return elements.some(({ text }) => text?.toLowerCase().includes(condition.text.toLowerCase()));
  }
}

/** Texts, or values of fields, of the elements that top-level properties select by `x-selector`; null if none was found. */
function extractFrom(tab: Tab, schema: Record<string, unknown>): Record<string, string> | null {
  const properties = Object.entries(schema.properties ?? {}).flatMap(
    ([name, property]: [string, unknown]) => {
      const selector = selectorOf(property);
      const element = tab.page.elements.find(({ selectors }) => selectors.includes(selector));
      const text = element?.field === undefined ? element?.text : tab.value(element);
      return text === undefined ? [] : [[name, text] as const];
    },
  );
  return properties.length === 0 ? null : Object.fromEntries(properties);
}

const selectorOf = (property: unknown): string =>
  typeof property === 'object' && property !== null && 'x-selector' in property
    ? String(property['x-selector'])
    : '';
