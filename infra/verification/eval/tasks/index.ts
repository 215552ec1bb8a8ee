import { errands as errandsOverPages } from '../errands/index.ts';
import type { Task } from '../task.ts';
import { errands } from './errands.ts';
import { finding } from './finding.ts';
import { forms } from './forms.ts';
import { trust } from './trust.ts';

/** Tasks that one look is enough for, so that the grammar can do them too. */
export const simpleTasks: readonly Task[] = [...forms, ...finding, ...trust, ...errands];

/** What agents are tried on: what somebody says, and how everything must be at the end. */
export const tasks: readonly Task[] = [...simpleTasks, ...errandsOverPages];
