import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../platform/error-message.ts';
import type { InjectedFault } from '../evidence/index.ts';
import { randomOf } from '../random.ts';
import type { World } from '../world/index.ts';
import type { PlannedFault } from './plan.ts';
import { within } from '../../../platform/timeout.ts';

export interface Schedule {
  /** Faults that have begun; times are milliseconds since the epoch. */
  readonly injected: readonly InjectedFault[];
  /** Resolves when the last fault is healed. */
  readonly done: Promise<void>;
}

/** Runs the plan. A fault that is impossible at its time because of another one is recorded as such. */
export function injectAll(world: World, plan: readonly PlannedFault[], seed: number): Schedule {
  const injected: InjectedFault[] = [];
  const startedAt = performance.now();
  const inject = async ({ fault, at, lastsMs }: PlannedFault, index: number): Promise<void> => {
    await delay(Math.max(0, at - (performance.now() - startedAt)));
    const from = Date.now();
    const place = injected.push({ name: fault.name, from, to: Infinity }) - 1;
    const name = await runFault(world, { fault, at, lastsMs }, randomOf(seed, `fault ${index}`));
    injected[place] = { name, from, to: Date.now() };
  };
  return { injected, done: Promise.all(plan.map(inject)).then(() => undefined) };
}

async function runFault(
  world: World,
  { fault, lastsMs }: PlannedFault,
  random: ReturnType<typeof randomOf>,
): Promise<string> {
  try {
    const heal = await within(LIMIT_MS, Promise.resolve(fault.inject(world, random)));
    await delay(lastsMs);
    await within(LIMIT_MS, Promise.resolve(heal()));
    return fault.name;
  } catch (error) {
    return `${fault.name} (not possible just then: ${messageOf(error)})`;
  }
}

/** A process that another fault stopped or killed may never confirm. */
const LIMIT_MS = 15_000;
