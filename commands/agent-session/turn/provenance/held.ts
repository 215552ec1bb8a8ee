import type { HeldIntent } from '../../../../contracts/events/agent-transcript.ts';
import type { Intent, Message } from '../../../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../../../contracts/resources/observation.ts';
import { nameOf, siteOf, type Site } from './site.ts';
import { sentBy, type Sent } from './sent.ts';
import type { Reason } from './judge.ts';

/** An intent that is not carried out without the user's approval. */
export interface Held {
  readonly intent: Intent;
  readonly why: Reason;
  /** Sites whose words it contains. */
  readonly from: readonly Site[];
  /** Site that would get them; undefined if unknown. */
  readonly to: Site | null | undefined;
  /** Keyed digest of what it sends. */
  readonly digest: string;
}

export type Approvals = NonNullable<Message['approvals']>;

/** Keyed digests of a text, one for each known key of the deployment, the newest key first. */
export type KeyedDigests = (text: string) => readonly [string, ...string[]];

/** Identifies an approved intent by its act, what it sends, and its site. Not by its ref, which changes with each observation. */
export const keyOf = ({ intent, to, digest }: Held): Omit<HeldIntent, 'index'> => ({
  act: actOf(intent),
  site: to ?? null,
  digest,
});

const actOf = (intent: Intent): string => (intent.kind === 'interact' ? intent.action.kind : intent.kind);

/** Digests of the exact data that it sends or, if it presses an element of the page, of the element's name. */
export function digestsOf(digests: KeyedDigests, intent: Intent, page: Observation | null) {
  const files =
    intent.kind === 'interact' && intent.action.kind === 'upload' ? intent.action.files : undefined;
  const sent = textOf(sentBy(intent, page)) || (intent.kind === 'interact' ? locatorOf(intent.action) : '');
  return digests(JSON.stringify([sent, files ?? null]));
}

type Located = Partial<Record<'selector' | 'test_id', string | undefined>>;

/** Identifies the element of an action that does not name it. */
function locatorOf(action: object): string {
  const { selector, test_id }: Located = action;
  return selector ?? test_id ?? '';
}

function textOf(sent: Sent | null): string {
  if (sent === null || sent.kind === 'clipboard') return '';
  return sent.kind === 'address' ? sent.address : sent.text;
}

/** Held intents of the previous answer on which a message decides. */
export interface Decided {
  readonly approved: readonly HeldIntent[];
  readonly denied: readonly HeldIntent[];
}

export const nothingDecided: Decided = { approved: [], denied: [] };

export function decidedOf(held: readonly HeldIntent[], approvals: Approvals): Decided {
  const isApproved = ({ index }: HeldIntent) =>
    approvals.findLast(({ intent_index: of }) => of === index)?.approved;
  return {
    approved: held.filter((each) => isApproved(each) === true),
    denied: held.filter((each) => isApproved(each) === false),
  };
}

/**
 * The sites on which an intent is approved, of those that may be in front. If it is unknown what is in front, those of acts that a node refuses
 * on other sites (`only_on`), which it cannot do for a tap. A denial of the same intent outweighs its approval.
 */
export function approvedSites(
  { approved, denied }: Decided,
  intent: Intent,
  { front, digests }: { readonly front: Site | null | undefined; readonly digests: readonly string[] },
): readonly Site[] {
  const to = intent.kind === 'navigate' ? siteOf(intent.url) : front;
  const act = actOf(intent);
  const isEnforced = sentBy(intent, null)?.kind !== 'press';
  const mayBe = (site: Site): boolean => (to === undefined ? isEnforced : site === to);
  // Answers of earlier releases have no digest of a secret.
  const isSame = (each: HeldIntent): boolean =>
    each.act === act && each.digest !== null && digests.includes(each.digest);
  const isDenied = (on: Site): boolean =>
    denied.some((each) => isSame(each) && (each.site === null || each.site === on));
  return approved.flatMap((each) => {
    const { site } = each;
    return isSame(each) && site !== null && mayBe(site) && !isDenied(site) ? [site] : [];
  });
}

/** The question to the user, with intents numbered as in `approvals`. */
export function questionOf(held: readonly Held[], first: number): string {
  const acts = held.map((each, at) => `(${first + at}) ${said(each)}`);
  const what = acts.length === 1 ? 'This was' : 'These were';
  const ways = held.every(({ why }) => why === 'field') ? otherWords : byApproval;
  return `${what} not done, because your message does not ask for it and a page may have: ${acts.join(' ')} ${ways}`;
}

const byApproval =
  'If you want it done, say so in a message whose `approvals` have its number as `intent_index`. If not, say what to do instead.';
const otherWords =
  'No approval covers that. If you want it done, send a message that has these words. If not, say what to do instead.';

function said({ intent, why, from, to }: Held): string {
  const where = to ? ` on ${nameOf(to)}` : '';
  return `${actSaid(intent)}${intent.kind === 'navigate' ? '' : where}: ${reasons[why](from.map(nameOf).join(' and '))}`;
}

const reasons: Readonly<Record<Reason, (from: string) => string>> = {
  address: () => 'neither your message nor a link, form or redirect leads to that site.',
  carries: (from) => `the address tells that site something${from === '' ? '' : ` that ${from} has shown`}.`,
  words: (from) =>
    `${from === '' ? 'another site' : from} has shown that, and your message does not name both sites.`,
  made_up: () => 'neither you nor that site has said it, and another site was seen before.',
  clipboard: () => 'it is unknown what was copied, and from where.',
  field: () => 'the field is in a frame or a form of another site than its page.',
};

function actSaid(intent: Intent): string {
  if (intent.kind === 'navigate') return `open ${intent.url}`;
  return intent.kind === 'interact' ? actionSaid(intent.action) : intent.kind;
}

function actionSaid(action: Extract<Intent, { kind: 'interact' }>['action']): string {
  if (action.kind === 'type')
    return action.sensitive || !('text' in action) ? 'type something secret' : `type "${action.text}"`;
  if (action.kind === 'press') return `press ${[...(action.modifiers ?? []), action.key].join('+')}`;
  if (action.kind === 'select') return `choose "${(action.values ?? []).join('", "')}"`;
  if (action.kind !== 'upload') return action.kind.replace('_', ' ');
  return `upload ${(action.files ?? []).map(({ name }) => `"${name}"`).join(', ') || 'a file'}`;
}
