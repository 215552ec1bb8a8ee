import type { Task } from '../task.ts';
import { errands } from './errands.ts';
import { finding } from './finding.ts';
import { forms } from './forms.ts';
import { trust } from './trust.ts';

/** What agents are tried on: what somebody says, and how everything must be at the end. */
export const tasks: readonly Task[] = [...forms, ...finding, ...trust, ...errands];
