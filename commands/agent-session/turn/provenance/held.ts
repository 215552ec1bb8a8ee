import { createHash } from 'node:crypto';
import type { HeldIntent } from '../../../../contracts/events/agent-transcript.ts';
import type { Intent, Message } from '../../../../contracts/resources/agent-turn.ts';
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
}

export type Approvals = NonNullable<Message['approvals']>;

/** Identifies an approved intent by its act and site. Not by its element, whose ref changes with each observation. */
export const keyOf = ({ intent, to }: Pick<Held, 'intent' | 'to'>): Omit<HeldIntent, 'index'> => ({
  act: actOf(intent),
  site: to ?? null,
  digest: digestOf(intent),
});

const actOf = (intent: Intent): string => (intent.kind === 'interact' ? intent.action.kind : intent.kind);

/** Digest of the exact data that it sends; null for secrets, which are not stored in any form. */
function digestOf(intent: Intent): string | null {
  if (intent.kind === 'interact' && intent.action.kind === 'type' && intent.action.sensitive) return null;
  const sent = sentBy(intent, null);
  const files =
    intent.kind === 'interact' && intent.action.kind === 'upload' ? intent.action.files : undefined;
  return createHash('sha256')
    .update(JSON.stringify([textOf(sent), files ?? null]))
    .digest('hex');
}

function textOf(sent: Sent | null): string {
  if (sent === null || sent.kind === 'clipboard') return '';
  return sent.kind === 'address' ? sent.address : sent.text;
}

/** Held intents of the previous answer that this message approves. */
export const approvedOf = (held: readonly HeldIntent[], approvals: Approvals): readonly HeldIntent[] =>
  held.filter(({ index }) => approvals.findLast(({ intent_index: of }) => of === index)?.approved === true);

/**
 * The sites on which an intent is approved, of those that may be in front. If it is unknown what is in front, those of acts that a node refuses
 * on other sites (`only_on`), which it cannot do for a tap.
 */
export function approvedSites(
  approved: readonly HeldIntent[],
  intent: Intent,
  front: Site | null | undefined,
): readonly Site[] {
  const to = intent.kind === 'navigate' ? siteOf(intent.url) : front;
  const { act, digest } = keyOf({ intent, to });
  const isEnforced = sentBy(intent, null)?.kind !== 'press';
  const mayBe = (site: Site): boolean => (to === undefined ? isEnforced : site === to);
  return approved.flatMap(({ site, ...each }) =>
    each.act === act && each.digest === digest && site !== null && mayBe(site) ? [site] : [],
  );
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
