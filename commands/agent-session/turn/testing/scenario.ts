import type { Intent, Plan } from '../../../../contracts/resources/agent-turn.ts';

/** A turn, and what interferes with it at which moment. */
export interface Scenario {
  readonly asksModel: boolean;
  /** Rounds in which the model plans; then it answers. */
  readonly rounds: number;
  readonly intents: number;
  /** Whether each plan ends with an address that only the first plan may open, before any page has been seen. */
  readonly strays: boolean;
  readonly failsAt: number;
  /** The step during which a dialog opens. */
  readonly dialogAt: number;
  readonly readsBack: boolean;
  /** Whether the message has a form that a model fills in at the end. */
  readonly hasForm: boolean;
  /** Whether the model is the service's own, whose use is counted. */
  readonly isBundled: boolean;
  /** Whether the typed text is the value of a variable. */
  readonly hasVariable: boolean;
  readonly opensInitialUrl: boolean;
  /** Whether the browser ends while it opens the initial address. */
  readonly losesFirst: boolean;
  readonly refusesSpawn: boolean;
  readonly modelFails: 'not' | 'unavailable' | 'key_refused';
  readonly modelFailsIn: number;
  readonly change: 'none' | 'takeover' | 'mode' | 'pause' | 'close' | 'abandon';
  /** Index among all appends, dispatches and model calls of the turn. */
  readonly moment: number;
}

export const secretOf = ({ hasVariable }: Scenario): string =>
  hasVariable ? 'canary-of-4-variables' : 'canary';

const typing = (scenario: Scenario): Intent => {
  const text = scenario.hasVariable ? { variable: 'key' } : { text: secretOf(scenario), sensitive: true };
  return { kind: 'interact', action: { kind: 'type', label: 'Key', ...text } };
};

export function planOf(scenario: Scenario): Plan & { decision: 'plan' } {
  const { asksModel, intents, strays, readsBack } = scenario;
  const length = asksModel ? intents : Math.max(1, intents);
  return {
    decision: 'plan',
    intents: [
      ...Array.from({ length }, (_, index): Intent =>
        index % 2 === 0 ? { kind: 'navigate', url: `http://sim.test/${index}` } : typing(scenario),
      ),
      ...(strays ? [{ kind: 'navigate', url: 'http://else.test/' } as const] : []),
    ],
    readBack: readsBack,
  };
}
