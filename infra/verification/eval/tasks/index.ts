import { errands as errandsOverPages } from '../errands/index.ts';
import type { Task } from '../task.ts';
import { errands } from './errands.ts';
import { finding } from './finding.ts';
import { forms } from './forms.ts';
import { trust } from './trust.ts';

/** Tasks that need only one look, so that the grammar can do them too. */
export const simpleTasks: readonly Task[] = [...forms, ...finding, ...trust, ...errands];

/** All tasks of the eval: messages, and the expected final state. */
export const tasks: readonly Task[] = [...simpleTasks, ...errandsOverPages];
