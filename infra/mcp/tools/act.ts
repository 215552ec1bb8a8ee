import {
  AbortError,
  type Action,
  type Condition,
  type PageObservation,
} from '../../../contracts/client/index.ts';
import { ToolError, describeFailure } from '../advice.ts';
import { companionOf } from '../companion.ts';
import { difference } from '../difference.ts';
import { observe } from '../looking.ts';
import { defineTool, hints, pageShape, schemas, type ToolContext } from '../tool.ts';
import { notice, oneLine } from '../words.ts';

const { described, session, count, objects } = schemas;

type Given = { readonly kind: string } & Readonly<Record<string, unknown>>;
interface Acting {
  readonly session: string;
  readonly actions: readonly Given[];
}

/** The outcome of an action: its summary, and its dialogs and downloads. */
type Did = readonly string[];
type Execute = (context: ToolContext, session: string, action: Given) => Promise<Did>;

const target = Object.fromEntries(
  ['ref', 'selector', 'text', 'label', 'role', 'name', 'placeholder', 'test_id', 'key', 'url'].map((name) => [
    name,
    { type: 'string' },
  ]),
);

export const act = defineTool<Acting>({
  name: 'act',
  title: 'Act on the page',
  description:
    'Runs actions in order until one fails. Returns what each did, and the changes of the page: + new, ~ changed; other refs stay valid. ' +
    'Name an element by its ref or another way. type: text, clear; press: key; select: values; check: checked; scroll: direction, amount; swipe: x1,y1,x2,y2; drag: from, to; ' +
    'upload: files [{name, data_base64}]; go: url; wait: ms or condition, such as {"kind":"text","text":"Done"}. More in service://reference.',
  hints: hints.acts,
  takes: {
    'session!': session,
    'actions!': {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: described('tap, type, press, select, check, scroll, swipe, drag, upload, go, back, wait, …'),
          ...target,
        },
      },
    },
  },
  gives: { ...pageShape, did: objects, gone: count },
  run: async (context, { session: id, actions }) => {
    const before = await observe(context, id);
    const did: { kind: string; ok: boolean }[] = [];
    const words: string[] = [];
    let failed = false;
    for (const action of actions) {
      try {
        const result = await execute(context, id, action);
        words.push(...result.map((each, at) => (at === 0 ? `${did.length + 1}. ${each}` : each)));
        did.push({ kind: action.kind, ok: true });
      } catch (error) {
        // A client that cancels gets no answer; the remaining actions are not executed.
        if (error instanceof AbortError || context.signal.aborted) throw error;
        words.push(`${did.length + 1}. failed: ${describeFailure(error)}`);
        did.push({ kind: action.kind, ok: false });
        failed = true;
        break;
      }
    }
    return answer(id, before, await after(context, id), { did, words, failed, asked: actions.length });
  },
});

interface Outcome {
  readonly did: readonly { readonly kind: string; readonly ok: boolean }[];
  readonly words: readonly string[];
  readonly failed: boolean;
  readonly asked: number;
}

function answer(
  session: string,
  before: PageObservation,
  now: PageObservation | undefined,
  { did, words, failed, asked }: Outcome,
) {
  const left = asked - did.length;
  const first = failed
    ? `Action ${did.length} failed${left > 0 ? `; ${left} after it were not tried` : ''}.`
    : `${did.length} done.`;
  const isError = failed && { isError: true as const };
  if (now === undefined)
    return {
      lines: [first],
      words,
      more: ['The page cannot be seen just now: look.'],
      structured: { session, did },
      ...isError,
    };
  const { lines, more, structured } = difference(before, now);
  return {
    lines: [first],
    words: [...words, ...lines],
    more,
    structured: { session, ...structured, did, untrusted: notice },
    ...isError,
  };
}

/** Completed actions are reported even if the page cannot be observed. */
const after = async (context: ToolContext, session: string): Promise<PageObservation | undefined> => {
  try {
    return await observe(context, session);
  } catch (error) {
    if (error instanceof AbortError) throw error;
    return undefined;
  }
};

/** Actions other than those of a finger. */
const others: Readonly<Record<string, Execute>> = {
  go: async ({ service, signal }, session, { url }) => {
    if (typeof url !== 'string') throw new ToolError('go takes a url.');
    const { final_url, status, ...effects } = await service.sessions.navigate(session, { url }, { signal });
    return [
      `went to ${oneLine(final_url, 120)}${status === null ? '' : ` (${status})`}`,
      ...effectsOf(effects),
    ];
  },
  back: (context, session) => step(context, session, 'back'),
  forward: (context, session) => step(context, session, 'forward'),
  wait: async ({ service, signal }, session, { ms, condition, timeout_ms }) => {
    if ((typeof ms === 'number') === (condition !== undefined))
      throw new ToolError('wait takes either ms or a condition.');
    const until = (condition ?? { kind: 'delay', ms }) as Condition;
    const limit = typeof timeout_ms === 'number' ? { timeout_ms } : {};
    const { duration_ms } = await service.sessions.wait(session, { condition: until, ...limit }, { signal });
    return [`waited ${duration_ms} ms`];
  },
  scroll: ({ service, signal }, session, { direction, amount, ...action }) => {
    const by = typeof amount === 'number' ? amount : defaultScrollPx;
    const move = typeof direction === 'string' ? moves[direction] : undefined;
    if (direction !== undefined && move === undefined)
      throw new ToolError('scroll takes the direction up, down, left or right.');
    const delta = move && { delta_x: move.x * by, delta_y: move.y * by };
    return interacted({ service, signal }, session, { ...action, ...delta });
  },
};

/** Most of the viewport, in CSS pixels. */
const defaultScrollPx = 600;
const moves: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ...{ up: { x: 0, y: -1 }, down: { x: 0, y: 1 } },
  ...{ left: { x: -1, y: 0 }, right: { x: 1, y: 0 } },
};

const execute: Execute = async (context, session, action) => {
  context.signal.throwIfAborted();
  return (others[action.kind] ?? interacted)(context, session, action);
};

/** The service validates unknown actions. */
async function interacted(
  { service, signal }: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
  action: object,
): Promise<Did> {
  const { summary, ...effects } = await service.sessions.interact(
    session,
    { action: action as Action },
    { signal },
  );
  return [oneLine(summary, 100), ...effectsOf(effects)];
}

async function step(context: ToolContext, session: string, direction: 'back' | 'forward'): Promise<Did> {
  const agent = await companionOf(context, session);
  const { status, reason = '' } = await agent.history({ direction }, { signal: context.signal });
  if (status !== 'ok') throw new ToolError(oneLine(reason, 200));
  return [`went ${direction}`];
}

interface Effects {
  readonly dialogs?:
    | readonly { readonly type: string; readonly accepted: boolean; readonly message: string }[]
    | undefined;
  readonly downloads?: readonly { readonly name: string; readonly state: string }[] | undefined;
}

const effectsOf = ({ dialogs = [], downloads = [] }: Effects): readonly string[] => [
  ...dialogs.map(
    ({ type, accepted, message }) =>
      `${type} ${accepted ? 'accepted' : 'dismissed'}: ${oneLine(message, 120)}`,
  ),
  ...downloads.map(({ name, state }) => `download ${state}: ${oneLine(name, 100)}`),
];
