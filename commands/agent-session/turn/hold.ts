import type { TurnUsage } from '../../../contracts/events/agent-session.ts';
import type { Intent, IntentResult } from '../../../contracts/resources/agent-turn.ts';
import { elsewhere } from '../../../contracts/fleet/operations.ts';
import type { CarriedOut } from './carry-out.ts';
import { asking, recordPlan } from './decide.ts';
import { observe } from './observe.ts';
import type { Held } from './provenance/held.ts';
import { siteOf } from './provenance/site.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * Ends a turn with a question if an intent of its last plan is held: before its dispatch, or because the page turned out to be on another
 * site than allowed. `last` is the last intent that was carried out.
 */
export async function asksAboutHeld(
  turn: RunningTurn,
  carriedOut: CarriedOut,
  last: Intent | undefined,
): Promise<boolean> {
  const { provenance, record } = turn;
  const wasElsewhere = carriedOut === 'failed' && isElsewhere(record.results.at(-1));
  const refused = wasElsewhere ? last : undefined;
  if (refused === undefined && (carriedOut !== 'done' || provenance.held.length === 0)) return false;
  const page = await observe(turn);
  const here = page === null ? null : siteOf(page.url);
  const atFirst = (each: Held, at: number): Held =>
    at === 0 && each.intent.kind !== 'navigate' ? { ...each, to: here } : each;
  const held = refused === undefined ? provenance.held.map(atFirst) : [provenance.heldAt(refused, here)];
  await recordPlan(turn, asking(turn, held), { usage: noUse(turn), after: null, held });
  return true;
}

const isElsewhere = (result: IntentResult | undefined): boolean =>
  result?.kind === 'failure' && result.reason === elsewhere;

/** The usage of a turn that called no model. */
const noUse = ({ record: { usage } }: RunningTurn): TurnUsage => ({
  ...{ decomposerKind: 'deterministic', model: null, ...usage },
  ...{ inputTokens: null, outputTokens: null, costCents: null },
});
