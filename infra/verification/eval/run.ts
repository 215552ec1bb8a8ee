import { startModelProvider } from '../testbed/model-provider.ts';
import { startStack } from '../testbed/index.ts';
import { attempt, type Attempt, type EvalTarget } from './attempt.ts';
import { tasks } from './tasks/index.ts';
import type { Mode, Task } from './task.ts';

export interface EvalOptions {
  readonly modes: readonly Mode[];
  readonly tasks?: readonly Task[];
  readonly model?: string;
  /** Of the mode `provider`. */
  readonly modelKey?: string;
  readonly modelUrl?: string;
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** What the scripted provider takes as its key. */
const scriptedKey = 'scripted-key-of-the-eval';

/** Starts the whole service with real browsers, and does the tasks of each mode one after the other, beside those of the others. */
export async function runEval(options: EvalOptions): Promise<readonly Attempt[]> {
  const scripted = await startModelProvider({ keys: [scriptedKey] });
  const attempts: Attempt[] = [];
  const on = async (modes: readonly Mode[], modelUrl: string, target: Partial<EvalTarget>): Promise<void> => {
    const chosen = modes.filter((mode) => options.modes.includes(mode));
    if (chosen.length > 0) attempts.push(...(await runModes(chosen, modelUrl, target, options)));
  };
  try {
    await on(['grammar', 'scripted'], scripted.url, { provider: scripted, modelKey: scriptedKey });
    const { modelKey, modelUrl = 'https://api.anthropic.com' } = options;
    if (modelKey !== undefined) await on(['provider'], modelUrl, { modelKey });
    return attempts;
  } finally {
    await scripted.close();
  }
}

async function runModes(
  modes: readonly Mode[],
  modelUrl: string,
  target: Partial<EvalTarget>,
  { tasks: chosen = tasks, model, onAttempt }: EvalOptions,
): Promise<readonly Attempt[]> {
  const env = { DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8', LLM_BASE_URL: modelUrl, DECOMPOSER: 'auto' };
  const stack = await startStack({ env, limitMs: 120_000 });
  try {
    const { api_key: apiKey } = await stack.account('api_scale');
    const whole: EvalTarget = {
      baseUrl: stack.baseUrl,
      apiKey,
      modelKey: undefined,
      provider: undefined,
      model,
      ...target,
    };
    const made = modes.map(async (mode) => {
      const attempts: Attempt[] = [];
      for (const task of chosen) {
        const one = await attempt(whole, task, mode);
        onAttempt?.(one);
        attempts.push(one);
      }
      return attempts;
    });
    return (await Promise.all(made)).flat();
  } finally {
    await stack.stop();
  }
}
