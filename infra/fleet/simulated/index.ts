import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '../../platform/clock.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import {
  driverFailure,
  wrapOperations,
  type Browser,
  type Driver,
  type OperationLimits,
} from '../node/driver.ts';
import { planFaults, type FaultPlan, type SimulatedFaults, type SimulatedLatencies } from './faults.ts';
import { simulatedOperations } from './operations.ts';
import { openReports } from './reports.ts';
import { openTab } from './tab.ts';

export interface SimulatedDriverOptions {
  readonly guard: OutboundGuard;
  readonly clock?: Clock;
  readonly latencies?: SimulatedLatencies;
  readonly faults?: SimulatedFaults;
}

/**
 * Browsers without a browser: deterministic, in this process, for tests of rules, load and faults. `http://sim.test/` has the
 * pages of `site.ts`; `/crash`, `/hang`, `/timeout` and `/unreachable` do what they say, `/challenge`, `/dead-proxy` and
 * `/unsaveable` are reported. It opens no connection, so a session's proxy changes nothing.
 */
export function createSimulatedDriver(options: SimulatedDriverOptions): Driver {
  const { guard, clock = systemClock, latencies = {} } = options;
  const faults = planFaults(options.faults ?? {});
  return {
    name: 'simulated',
    launch: async () => {
      await wait(latencies.launchMs);
      if (faults.launchFails()) throw driverFailure('The simulated browser was told not to start.');
      return openBrowser(guard, clock, latencies, faults);
    },
    close: () => Promise.resolve(),
  };
}

function openBrowser(
  guard: OutboundGuard,
  clock: Clock,
  latencies: SimulatedLatencies,
  faults: FaultPlan,
): Browser {
  const life = beginLife();
  const reports = openReports();
  const table = simulatedOperations(openTab(guard, life.die, reports.arrived), clock);
  /** Every call takes its latency and may meet a fault; one that is running when the browser ends fails with it. */
  const guarded =
    <I, R>(run: (input: I, limits: OperationLimits) => Promise<R>) =>
    async (input: I, limits: OperationLimits): Promise<R> => {
      const work = wait(latencies.operateMs)
        .then(() => suffer(faults, life.die))
        .then(() => run(input, limits));
      return Promise.race([life.gone(), work]);
    };
  return {
    operations: wrapOperations(table, guarded),
    egressCapabilities: { udp_associate: false, dns_remote_resolve: true, quic_route: 'none', warnings: [] },
    onDeath: life.onDeath,
    onReport: reports.onReport,
    close: async () => {
      if (life.end()) reports.closing();
      await wait(latencies.closeMs);
    },
  };
}

/** A browser ends once: asked to, silently, or by dying, which is told. */
function beginLife() {
  let notify: () => void = () => undefined;
  let open = true;
  let settle: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  /** Whether it was open until now. */
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

async function suffer(faults: FaultPlan, die: () => void): Promise<void> {
  const fault = faults.operation();
  if (fault === 'hang') await new Promise<never>(() => undefined);
  if (fault === 'crash') {
    die();
    throw driverFailure('The simulated browser was told to crash.');
  }
}

const wait = (ms = 0): Promise<void> => (ms === 0 ? Promise.resolve() : delay(ms));
