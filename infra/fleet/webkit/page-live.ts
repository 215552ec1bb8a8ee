import { Type, closed, nullable, oneOf } from '../../../contracts/schema.ts';
import { pageStates } from '../../../contracts/resources/live.ts';
import { Cookie } from '../../../contracts/resources/session.ts';
import type { OperationLimits } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { ask, nothing } from './ask.ts';
import { HostError } from './host-channel.ts';
import type { Instance } from './instance.ts';
import { explain, refusalOf } from './page-failures.ts';
import type { Page, TabState } from './page.ts';

const cookies = shape(Type.Array(Cookie));
const tabState = shape(
  closed({
    state: oneOf(pageStates),
    url: Type.String(),
    title: Type.String(),
    tab: Type.String(),
    problem: nullable(closed({ code: oneOf(['load_failed', 'tls_failed']), url: Type.String() })),
  }),
);

/** Calls of the page beside the operations. */
export const liveOf = (
  instance: Instance,
): Pick<Page, 'cookies' | 'setCookies' | 'state' | 'goInHistory'> => ({
  cookies: (limits) => ask(instance, 'cookies', null, cookies, limits),
  setCookies: async (given, limits) => {
    await ask(instance, 'set_cookies', given, nothing, limits);
  },
  state: (limits) => state(instance, limits),
  goInHistory: async (direction, tab, limits) => {
    const input = { back: direction === 'back', tab: tab ?? null };
    await instance.host.send('history', input, limits.signal).catch((error: unknown) => {
      throw refusalOf(error) ?? explain(error, instance.proxy, limits);
    });
  },
});

/** The host's answer, with the service's own words for a failed load. */
async function state(instance: Instance, limits: OperationLimits): Promise<TabState> {
  const { problem, ...seen } = await ask(instance, 'page_state', null, tabState, limits);
  if (problem === null) return { ...seen, problem };
  const { code, url } = problem;
  const { message } = explain(new HostError(code, '', url), instance.proxy, limits);
  return { ...seen, problem: { kind: code, message } };
}
