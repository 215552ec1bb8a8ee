import type { Observation } from '../../../contracts/resources/observation.ts';
import type { Target } from '../../../contracts/resources/target.ts';
import type { ExistingAgentSession } from '../../../domain/agent-session/state.ts';
import { askBrowser } from '../browser.ts';
import type { HiddenValue } from './hidden-values.ts';
import type { TurnPorts } from './ports.ts';
import { withoutValues } from './without-values.ts';

/** An observation of the page, with masked values; null if no browser answers. */
export async function observe({
  ports,
  session,
  hidden,
}: {
  readonly ports: Pick<TurnPorts, 'runner' | 'fleet'>;
  readonly session: ExistingAgentSession;
  readonly hidden: readonly HiddenValue[];
}): Promise<Observation | null> {
  const answer = await askBrowser(ports, session, 'observe', null, { cached: true });
  return answer.status === 'ok' ? withoutValues(answer.result, hidden) : null;
}

/** A CSS selector of the element that a target names on the page in front, the same for every name of it; null if none is found. */
export async function selectorOf(
  { ports, session }: Pick<Parameters<typeof observe>[0], 'ports' | 'session'>,
  target: Target,
): Promise<string | null> {
  const answer = await askBrowser(ports, session, 'meet', target, { cached: true });
  return answer.status === 'ok' ? (answer.result?.selector ?? null) : null;
}

/** Whether address, title, elements and text are equal. Refs are ignored, because each observation has others. */
export const isSamePage = (one: Observation | null, other: Observation | null): boolean =>
  JSON.stringify(seenOf(one)) === JSON.stringify(seenOf(other));

const seenOf = (page: Observation | null) =>
  page && [
    page.url,
    page.title,
    page.elements.map(({ ref: _, ...element }) => element),
    page.text,
    page.dialog,
  ];
