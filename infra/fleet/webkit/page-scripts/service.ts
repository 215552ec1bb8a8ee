/**
 * Our script, in a script world that shares only the document with the page. It runs in each frame, before the page's
 * first script. The host calls its operations by name; their input is data.
 */
import { holds, wait, type Condition } from './conditions.ts';
import { mayTake, type Confined } from './confinement.ts';
import { html, inSight, results, state, type ResultsQuery } from './document-state.ts';
import { extraction, type Schema } from './extraction.ts';
import { Failure, answerable } from './failure.ts';
import { focus, type Entry } from './entering.ts';
import { clear, prepareTyping, type TypedText } from './fields.ts';
import { receive, upload, type Piece, type ReceivedFile } from './files.ts';
import { keyboardWanted, selection } from './keyboard.ts';
import { select, type Choice } from './lists.ts';
import { askFrame, markNonces, takeWork } from './frame-channel.ts';
import { frameAlong, frameReplaced, into, type FrameStep } from './frames.ts';
import { drag, scroll, type Glide } from './gestures.ts';
import { keySeen, listen, watchKey } from './guard.ts';
import { activeElement, isFrame } from './dom.ts';
import { elementUnder } from './aim.ts';
import { observe, observeWithin, type ObserveInput } from './observe.ts';
import { meet } from './meet.ts';
import { secretBoxes } from './secret-boxes.ts';
import { loginForm, type LoginSelectors } from './login-form.ts';
import {
  aimAt,
  box,
  checkable,
  checkedNow,
  place,
  verdict,
  type AimInput,
  type AskFrame,
  type VerdictInput,
} from './tap.ts';
import type { Target } from './targets.ts';
import { followChanges } from './stillness.ts';

/** Input of each operation; `frame` and the time limit come beside it. */
interface Inputs {
  aim: AimInput;
  verdict: VerdictInput;
  box: AimInput;
  prepareTyping: TypedText;
  clear: Entry;
  focus: Entry;
  select: { readonly target: Target } & Choice;
  place: AimInput;
  keyboard: null;
  selection: null;
  watchKey: null;
  keySeen: null;
  checkable: { readonly target: Target; readonly checked: boolean };
  checkedNow: { readonly checked: boolean };
  receive: Piece;
  upload: { readonly target: Target; readonly files: readonly ReceivedFile[] } & Confined;
  mayTake: Confined;
  scroll: { readonly target?: Target; readonly delta_x?: number; readonly delta_y?: number };
  drag: Glide;
  meet: { readonly target: Target };
  observe: Omit<ObserveInput, 'heard'>;
  observeWithin: ObserveInput;
  wait: Condition;
  holds: Condition;
  extract: { readonly schema: Schema; readonly selector?: string };
  results: ResultsQuery;
  loginForm: LoginSelectors;
  viewport: null;
  state: null;
  inSight: null;
  html: null;
  secretBoxes: null;
}
type Name = keyof Inputs;
type Operations = { readonly [N in Name]: (input: Inputs[N], endsAt: number) => unknown };

/** These enter frames themselves; the others run in the named frame. */
const ownFrames: readonly string[] = ['aim', 'verdict', 'box', 'place'] satisfies Name[];

/** Operations in a frame that change nothing: one that failed has had no effect. */
const looking: readonly string[] = [
  'checkable',
  'extract',
  'holds',
  'meet',
  'receive',
  'wait',
] satisfies Name[];

const left = (endsAt: number): number => Math.max(0, endsAt - performance.now());

const askBy =
  (endsAt: number): AskFrame =>
  async (frame, operation, input) => {
    const reply = await askFrame(frame, operation, JSON.stringify({ ...input, within: left(endsAt) }));
    return reply === undefined ? undefined : valueOf(reply);
  };

/** Runs an operation in a frame. Throws if the frame is replaced meanwhile, because the outcome is then unknown. */
async function runIn(
  frame: HTMLIFrameElement,
  name: string,
  input: object,
  endsAt: number,
): Promise<unknown> {
  const value = await askBy(endsAt)(frame, name, input);
  if (value === undefined) throw frameReplaced({ acts: !looking.includes(name) });
  return value;
}

/** A drag belongs to the frame in which the finger comes down. */
async function dragIn(glide: Glide, endsAt: number): Promise<unknown> {
  const element = elementUnder(glide.from);
  if (!isFrame(element)) return drag(glide, endsAt);
  const inner = { ...glide, from: into(element, glide.from), to: into(element, glide.to) };
  return runIn(element, 'drag', inner, endsAt);
}

/** Operations on the focused element run in the frame that has the focus. */
const inFocus =
  <I extends object | null>(name: Name, work: (input: I) => unknown) =>
  async (input: I, endsAt: number): Promise<unknown> => {
    const active = activeElement();
    return active && isFrame(active) ? runIn(active, name, input ?? {}, endsAt) : work(input);
  };

/** Pinch zoom, which only the outermost document has. */
const pinched = (): number => visualViewport?.scale ?? 1;

const operations: Operations = {
  aim: async (input, endsAt) => ({ ...(await aimAt(input, endsAt, askBy(endsAt))), scale: pinched() }),
  verdict: (input, endsAt) => verdict(input, endsAt, askBy(endsAt)),
  box: (input, endsAt) => box(input, endsAt, askBy(endsAt)),
  prepareTyping,
  clear,
  focus,
  select,
  place: (input, endsAt) => place(input, endsAt, askBy(endsAt)),
  keyboard: inFocus('keyboard', keyboardWanted),
  selection: inFocus('selection', selection),
  watchKey: inFocus('watchKey', watchKey),
  keySeen: inFocus('keySeen', keySeen),
  checkable,
  checkedNow,
  receive,
  upload,
  mayTake: inFocus('mayTake', mayTake),
  scroll,
  drag: (glide, endsAt) => dragIn(glide, endsAt),
  meet,
  observe: (input, endsAt) => observe(input, askBy(endsAt)),
  observeWithin: (input, endsAt) => observeWithin(input, askBy(endsAt)),
  wait,
  holds: (condition) => ({ holds: holds(condition) }),
  extract: extraction,
  results,
  loginForm,
  viewport: () => ({ width: innerWidth, height: innerHeight }),
  state,
  inSight,
  html,
  secretBoxes: (_input, endsAt) => secretBoxes(askBy(endsAt)),
};

interface Envelope {
  readonly [input: string]: unknown;
  readonly frame?: readonly FrameStep[];
  /** Time limit in milliseconds. */
  readonly within?: number;
}

async function run(name: string, envelope: Envelope | null): Promise<unknown> {
  const { within = 0, ...input } = envelope ?? {};
  const endsAt = performance.now() + within;
  const inner = ownFrames.includes(name) ? undefined : await frameAlong(input.frame ?? [], endsAt);
  if (!inner) {
    // The types of node and page agree: names and inputs come from our own code on both sides.
    const operation = operations[name as Name] as (input: object, endsAt: number) => unknown;
    return operation(input, endsAt);
  }
  return runIn(inner.frame, name, { ...input, frame: inner.left }, endsAt);
}

type Reply =
  | { readonly value: unknown }
  | { readonly failure: Pick<Failure, 'kind' | 'category'> & { readonly reason: string } };

function valueOf(reply: string): unknown {
  const parsed = JSON.parse(reply) as Reply;
  if ('value' in parsed) return parsed.value;
  const { kind, category, reason } = parsed.failure;
  throw new Failure(kind, category, reason);
}

async function serve(name: string, input: string): Promise<string> {
  try {
    const value = (await run(name, JSON.parse(input) as Envelope | null)) ?? null;
    return answerable(JSON.stringify({ value }));
  } catch (error) {
    const { kind, category, message } =
      error instanceof Failure
        ? error
        : { kind: 'page' as const, category: 'unknown' as const, message: 'The page could not be used.' };
    return JSON.stringify({ failure: { kind, category, reason: message } });
  }
}

/**
 * Makes this document answer. Repeated calls reuse one script and restore its listeners, which `document.open` removes.
 */
export function install({ mark }: { readonly mark: string }): void {
  const world = globalThis as { service?: typeof serve };
  listen();
  followChanges();
  if (world.service) return;
  world.service = serve;
  markNonces(mark);
  if (parent !== window) takeWork(serve).catch(() => undefined);
}
