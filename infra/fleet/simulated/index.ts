import { systemClock, type Clock } from '../../platform/clock.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import {
  driverFailure,
  wrapOperations,
  type Browser,
  type Driver,
  type Hands,
  type OperationLimits,
} from '../node/driver.ts';
import { simulatedHands } from './hands.ts';
import { Leftovers } from './leftovers.ts';
import { simulatedDownload, simulatedLive } from './live.ts';
import { simulatedOperations } from './operations.ts';
import { Reports } from './reports.ts';
import { openTab, type TabOptions } from './tab.ts';
import { showSimulatedWindow } from './window.ts';

export interface SimulatedDriverOptions {
  readonly guard: OutboundGuard;
  readonly clock?: Clock;
  /** Whether people can watch the browsers, by a white picture, and touch them. */
  readonly hasWindow?: boolean;
  /** What calls of each kind await before they begin. */
  readonly waits?: {
    readonly launch?: () => Promise<unknown>;
    readonly operate?: (input: unknown) => Promise<unknown> | undefined;
  };
}

/**
 * Simulated browsers: deterministic, in this process, for tests of rules, load and faults. `http://sim.test/` has the pages of `site.ts`:
 * `/crash`, `/hang`, `/timeout` and `/unreachable` fail as named, `/challenge` and `/dead-proxy` are reported, `/where` shows the reported
 * geolocation, `/counter` has data that a profile keeps, and `/unsaveable` makes saving it fail. No connection is opened, so a session's
 * proxy has no effect, and nothing is drawn, so there is no noise.
 */
export function createSimulatedDriver(options: SimulatedDriverOptions): Driver {
  return {
    name: 'simulated',
    ...(options.hasWindow !== true && { shownNothing: 'Simulated browsers draw nothing.' }),
    ready: () => Promise.resolve(),
    isFull: () => false,
    launch: async (_session, { viewport }, { uploads, profile, geolocation }) => {
      await options.waits?.launch?.();
      const left = new Leftovers();
      if (profile?.state) await left.restore(profile.state);
      return openBrowser(options, { uploads, left, geolocation }, simulatedHands(viewport));
    },
    close: () => Promise.resolve(),
  };
}

function openBrowser(
  { guard, clock = systemClock, waits = {}, hasWindow = false }: SimulatedDriverOptions,
  own: Pick<TabOptions, 'uploads' | 'left' | 'geolocation'>,
  hands: Hands,
): Browser {
  const life = beginLife();
  const reports = new Reports();
  const tab = openTab({ guard, ...own, die: life.die, arrived: (...page) => reports.arrived(...page) });
  /** A running operation fails when the browser ends. */
  const guarded =
    <I, R>(run: (input: I, limits: OperationLimits) => Promise<R>) =>
    (input: I, limits: OperationLimits): Promise<R> =>
      Promise.race([life.gone(), Promise.resolve(waits.operate?.(input)).then(() => run(input, limits))]);
  const live = simulatedLive(tab, reports);
  return {
    operations: wrapOperations(simulatedOperations(tab, clock), guarded),
    live: {
      page_state: guarded(live.page_state),
      cookies: guarded(live.cookies),
      cookies_set: guarded(live.cookies_set),
      history: guarded(live.history),
      downloads: guarded(live.downloads),
      observe: guarded(live.observe),
      meet: guarded(live.meet),
      picture: guarded(live.picture),
      challenge: guarded(live.challenge),
    },
    hands,
    ...(hasWindow && { show: showSimulatedWindow }),
    download: (name, limits) => guarded(async () => simulatedDownload(tab, name))(null, limits),
    egressCapabilities: { udp_associate: false, dns_remote_resolve: false, quic_route: 'none', warnings: [] },
    onDeath: life.onDeath,
    onReport: (listener) => reports.onReport(listener),
    close: async () => void life.end(),
    leave: async () => {
      if (!life.end()) throw new Error('The browser is gone.');
      reports.assertSaveable();
      return own.left.leave();
    },
  };
}

/** A browser ends once: by a request, without a report, or by dying, which is reported. */
function beginLife() {
  let notify: () => void = () => undefined;
  let open = true;
  let settle: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  /** Returns whether it was open until now. */
  const end = (): boolean => {
    const wasOpen = open;
    open = false;
    settle();
    return wasOpen;
  };
  return {
    end,
    die: () => {
      if (end()) notify();
    },
    gone: () => ended.then(() => Promise.reject(driverFailure('The browser is gone.'))),
    onDeath: (listener: () => void) => {
      notify = listener;
    },
  };
}
