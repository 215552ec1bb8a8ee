import type { ExistingAgentSession } from '../../../domain/agent-session/state.ts';

/** What a model is told while the node of the browser drains; null otherwise. `at`: now, ISO 8601. */
export function drainNotice({ browser }: Pick<ExistingAgentSession, 'browser'>, at: string): string | null {
  if (browser?.drain === undefined || browser.ended) return null;
  const { endsBy } = browser.drain;
  return endsBy === null
    ? 'The machine of the browser is to be taken out of service, and waits until the browser is no longer needed. Do without what can wait.'
    : `The machine of the browser is being stopped: the browser ends within ${timeUntil(endsBy, at)}, and what is not done by then is not done at all. Do first what matters most.`;
}

function timeUntil(endsBy: string, at: string): string {
  const seconds = Math.max(1, Math.floor((Date.parse(endsBy) - Date.parse(at)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
