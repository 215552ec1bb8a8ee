import { setTimeout as delay } from 'node:timers/promises';
import { Type, closed } from '../../../../contracts/schema.ts';
import type { Condition } from '../../../../contracts/resources/session.ts';
import { OperationFailed, timeoutFailure, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import { PageReplaced } from '../page-failures.ts';
import type { Page } from '../page.ts';
import { framesOf, requireTarget } from './target.ts';

const met = shape(Type.Literal(true));
const holding = shape(closed({ holds: Type.Boolean() }));
type PageCondition = Extract<Condition, { kind: 'selector' | 'text' | 'url' }>;

/** Resolves once the condition is true; throws a timeout if it stays false. */
export async function meet(page: Page, condition: Condition, limits: OperationLimits): Promise<void> {
  switch (condition.kind) {
    case 'delay':
      return pause(condition.ms, limits);
    case 'load_state':
      return page.reached(condition.state, limits);
    case 'selector':
    case 'text':
    case 'url':
      return meetInPage(page, condition, limits);
  }
}

/** The page checks the condition, in each frame. If it is replaced, the next one continues. */
async function meetInPage(page: Page, condition: PageCondition, limits: OperationLimits): Promise<void> {
  for (;;) {
    try {
      await page.run('wait', asInput(condition), met, limits);
      return;
    } catch (error) {
      if (error instanceof PageReplaced && !limits.signal.aborted) continue;
      throw lateUnlessGone(error, limits);
    }
  }
}

/** Whether the condition is true now. False while the page is being replaced. */
export async function holds(page: Page, condition: Condition, limits: OperationLimits): Promise<boolean> {
  if (condition.kind === 'delay') return true;
  try {
    if (condition.kind !== 'load_state')
      return (await page.run('holds', asInput(condition), holding, limits)).holds;
    await page.reached(condition.state, limits);
    return true;
  } catch (error) {
    if (error instanceof PageReplaced) return false;
    throw lateUnlessGone(error, limits);
  }
}

function asInput(condition: PageCondition) {
  const { frame, kind } = { frame: framesOf(condition.frame), kind: condition.kind };
  if (condition.kind !== 'selector') return { ...condition, frame };
  const { state, ...named } = condition;
  return { kind, state, frame, target: requireTarget(named).target };
}

function lateUnlessGone(error: unknown, { signal }: OperationLimits): unknown {
  const isGone = error instanceof OperationFailed && error.failure.kind === 'driver';
  return signal.aborted && !isGone ? late() : error;
}

export async function pause(ms: number, { signal }: OperationLimits): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw late();
  });
}

const late = () => timeoutFailure('condition_not_met', 'The condition was not met in time.');
