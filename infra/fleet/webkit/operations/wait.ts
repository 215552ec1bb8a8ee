import { setTimeout as delay } from 'node:timers/promises';
import { Type, closed } from '../../../../contracts/schema.ts';
import type { Condition } from '../../../../contracts/resources/session.ts';
import { OperationFailed, timeoutFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import type { Page } from '../page.ts';

/** Milliseconds between two looks at the page. */
const everyMs = 50;
const holding = shape(closed({ holds: Type.Boolean() }));

/** Resolves once the condition holds; fails with a timeout when it does not in time. */
export async function meet(page: Page, condition: Condition, limits: OperationLimits): Promise<void> {
  switch (condition.kind) {
    case 'delay':
      return pause(condition.ms, limits);
    case 'load_state':
      return page.reached(condition.state, limits);
    case 'selector':
    case 'text':
    case 'url':
      while (!(await holds(page, condition, limits))) await pause(everyMs, limits);
  }
}

/** Whether it holds now. A page that is just being replaced answers no. */
export async function holds(page: Page, condition: Condition, limits: OperationLimits): Promise<boolean> {
  try {
    return (await page.run('holds', condition, holding, limits)).holds;
  } catch (error) {
    const replaced = error instanceof OperationFailed && error.failure.category === 'unknown';
    if (replaced && error.failure.kind === 'page') return false;
    if (limits.signal.aborted && !(error instanceof OperationFailed && error.failure.kind === 'driver'))
      throw late();
    throw error;
  }
}

export async function pause(ms: number, { signal }: OperationLimits): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw late();
  });
}

const late = () => timeoutFailure('condition_not_met', 'The condition was not met in time.');
