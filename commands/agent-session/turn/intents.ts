import type { OperationInput, OperationResult } from '../../../contracts/fleet/operations.ts';
import type { CaptureId } from '../../../contracts/ids.ts';
import type { FailureCategory, Operation } from '../../../contracts/operations.ts';
import type { FilledIntent, Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Action, Condition } from '../../../contracts/resources/session.ts';
import { targetNames } from '../../../contracts/resources/target.ts';

/** An operation of a driver session, with its body. */
export type Asked = {
  readonly [O in Operation]: { readonly operation: O; readonly input: OperationInput<O> };
}['navigate' | 'interact' | 'wait' | 'capture'];

/** Default scroll in CSS pixels: most of a phone's viewport. */
const usualScroll = 600;

const directions = {
  up: { delta_x: 0, delta_y: -1 },
  down: { delta_x: 0, delta_y: 1 },
  left: { delta_x: -1, delta_y: 0 },
  right: { delta_x: 1, delta_y: 0 },
} as const;

/** The driver operation of an intent. `captureId`: the id under which the browser keeps a capture. */
export function operationOf(intent: FilledIntent, captureId: CaptureId): Asked {
  switch (intent.kind) {
    case 'navigate':
      return { operation: 'navigate', input: { url: intent.url, wait_until: 'load' } };
    case 'interact':
      return { operation: 'interact', input: { action: intent.action, strict: true } };
    case 'wait': {
      const { condition, timeout_ms } = intent;
      return { operation: 'wait', input: { condition, ...(timeout_ms !== undefined && { timeout_ms }) } };
    }
    case 'capture':
      return { operation: 'capture', input: { kind: intent.capture, keep_as: captureId } };
    case 'scroll': {
      const { direction, amount = usualScroll } = intent;
      const { delta_x, delta_y } = directions[direction];
      const by = { delta_x: delta_x * amount, delta_y: delta_y * amount };
      return { operation: 'interact', input: { action: { kind: 'scroll', ...by } } };
    }
    case 'behavioral_pause':
      return { operation: 'wait', input: { condition: { kind: 'delay', ms: intent.duration_ms } } };
  }
}

/** The default failure of an intent, by its kind. */
export const usualCategory: Readonly<Record<Intent['kind'], FailureCategory>> = {
  navigate: 'page_load_failed',
  interact: 'unknown',
  wait: 'condition_not_met',
  capture: 'capture_failed',
  scroll: 'scroll_failed',
  behavioral_pause: 'unknown',
};

/** Intents that are safe to repeat. Other failed intents may have taken effect. */
const harmless: ReadonlySet<Intent['kind']> = new Set(['wait', 'capture']);
/** Failures before any act. */
const withoutEffect: ReadonlySet<FailureCategory> = new Set(['element_not_found']);
/** Failures that a retry would repeat. */
const final: ReadonlySet<FailureCategory> = new Set(['invalid_request', 'result_too_large']);

/** True if the intent may be retried without a review. */
export const isRetryable = (kind: Intent['kind'], category: FailureCategory): boolean =>
  !final.has(category) && (harmless.has(kind) || withoutEffect.has(category));

type AgentAction = Extract<Intent, { kind: 'interact' }>['action'];

/** Maximum characters of an address in a summary: one event has the summaries of all of a turn's intents. */
const longestAddress = 2_000;

/** A sentence that describes the executed intent. */
export function summaryOf(intent: Intent, result: unknown): string {
  switch (intent.kind) {
    case 'navigate': {
      // The node has checked it against its operation's schema.
      const { final_url, status } = result as OperationResult<'navigate'>;
      return `Opened ${final_url.slice(0, longestAddress)}${status === null ? '' : ` (status ${status})`}.`;
    }
    case 'interact':
      return summaryOfAction(intent.action, result as OperationResult<'interact'>);
    case 'wait':
      return `Waited ${awaited(intent.condition)}.`;
    case 'capture':
      return `${captured[intent.capture]} (${(result as OperationResult<'capture'>).byte_size} bytes).`;
    case 'scroll':
      return `Scrolled ${intent.direction} by ${intent.amount ?? usualScroll} pixels.`;
    case 'behavioral_pause':
      return `Paused for ${intent.duration_ms} ms.`;
  }
}

const captured = {
  screenshot: 'Took a screenshot',
  dom_snapshot: 'Saved the page',
  pdf: 'Saved the page as a PDF',
} as const;

function awaited(condition: Condition): string {
  switch (condition.kind) {
    case 'selector':
      return `for ${nameOf(condition) ?? 'an element'}${condition.state === undefined || condition.state === 'visible' ? '' : ` to be ${condition.state}`}`;
    case 'text':
      return `for the text "${condition.text}"`;
    case 'url':
      return `for an address like ${condition.pattern}`;
    case 'load_state':
      return `until the page had reached ${condition.state}`;
    case 'delay':
      return `${condition.ms} ms`;
  }
}

/** The past tense of an action on an element, by its kind. Every other action is described as the browser describes it. */
const verbs: Partial<Record<Action['kind'], string>> = {
  tap: 'Tapped',
  double_tap: 'Double-tapped',
  long_press: 'Pressed long on',
  type: 'Typed into',
  clear: 'Cleared',
  focus: 'Focused',
  select: 'Selected in',
  check: 'Checked',
  upload: 'Chose files for',
};

function summaryOfAction(action: AgentAction, { summary }: OperationResult<'interact'>): string {
  const [first = '', ...more] = summary.split(/(?<=\.) /);
  return [sentenceOf(action) ?? first, ...more].join(' ');
}

function sentenceOf(action: AgentAction): string | undefined {
  if (action.kind === 'press') return `Pressed ${[...(action.modifiers ?? []), action.key].join('+')}.`;
  const verb = action.kind === 'check' && !action.checked ? 'Unchecked' : verbs[action.kind];
  const name = nameOf(action.kind === 'type' ? { ...action, text: undefined } : action);
  return verb === undefined || name === undefined ? undefined : `${verb} ${name}.`;
}

type Naming = Partial<Record<(typeof targetNames)[number] | 'name', string | undefined>>;

/** The element's name in the action. */
function nameOf(action: object): string | undefined {
  const target: Naming = { ...action };
  if (target.selector !== undefined) return target.selector;
  if (target.ref !== undefined) return `element ${target.ref}`;
  if (target.role !== undefined)
    return `the ${target.role}${target.name === undefined ? '' : ` "${target.name}"`}`;
  const by = targetNames.find((name) => target[name] !== undefined);
  return by === undefined ? undefined : `"${target[by] ?? ''}"`;
}
