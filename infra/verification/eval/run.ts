import { startModelProvider } from '../testbed/model-provider.ts';
import { startStack } from '../testbed/index.ts';
import { attempt, type Attempt } from './attempt.ts';
import { tasks } from './tasks/index.ts';
import type { EvalTarget } from './target.ts';
import type { Mode, Task } from './task.ts';

export interface EvalOptions {
  readonly modes: readonly Mode[];
  readonly tasks?: readonly Task[];
  readonly model?: string;
  /** Provider key for the mode `model`. */
  readonly modelKey?: string;
  readonly modelUrl?: string;
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** The key that the scripted provider accepts. */
const scriptedKey = 'scripted-key-of-the-eval';

/**
 * Starts the whole service with real browsers, and runs the tasks mode by mode; modes without a provider run concurrently to
 * the others.
 */
export async function runEval(options: EvalOptions): Promise<readonly Attempt[]> {
  const scripted = await startModelProvider({ keys: [scriptedKey] });
  const attempts: Attempt[] = [];
  const on = async (modes: readonly Mode[], modelUrl: string, target: Partial<EvalTarget>): Promise<void> => {
    const chosen = modes.filter((mode) => options.modes.includes(mode));
    if (chosen.length > 0) attempts.push(...(await runModes(chosen, modelUrl, target, options)));
  };
  try {
    await on(['grammar', 'tools', 'scripted', 'policy'], scripted.url, {
      provider: scripted,
      modelKey: scriptedKey,
    });
    const { modelKey, modelUrl = 'https://api.anthropic.com' } = options;
    if (modelKey !== undefined) await on(['model'], modelUrl, { modelKey });
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
    const doInOrder = async (order: readonly Mode[]) => {
      const attempts: Attempt[] = [];
      for (const mode of order)
        for (const task of chosen.filter((each) => isOf(mode, each))) {
          const one = await attempt(whole, task, mode);
          onAttempt?.(one);
          attempts.push(one);
        }
      return attempts;
    };
    // The other two share one provider, so they run one after the other.
    const asksNone = (mode: Mode) => mode === 'grammar' || mode === 'tools';
    const made = [modes.filter(asksNone), modes.filter((mode) => !asksNone(mode))].map(doInOrder);
    return (await Promise.all(made)).flat();
  } finally {
    await stack.stop();
  }
}

/**
 * Whether a task can run in a mode: the grammar and the tools' client need sentences, the scripted provider sentences or
 * replies.
 */
function isOf(mode: Mode, { turns }: Task): boolean {
  const isSaid = turns.every(({ sentences }) => sentences !== '');
  const isScripted = isSaid || turns.every(({ replies }) => replies !== undefined);
  return mode === 'grammar' || mode === 'tools' ? isSaid : mode !== 'scripted' || isScripted;
}
