import { parseArgs } from 'node:util';
import { removeTempDirs } from '../testbed/temp-dir.ts';
import { table } from './report.ts';
import { runEval } from './run.ts';
import { modes, type Mode } from './task.ts';
import { tasks } from './tasks/index.ts';

const usage = `npm run eval -- [--lane grammar|scripted|provider]… [--task TEXT] [--model NAME] [--json]

Does thirty tasks on local pages, in real browsers, through the public API, and looks at how each has ended from outside.
Lanes: grammar and scripted by default, and provider where LLM_API_KEY is set (LLM_BASE_URL: another address of it).
--task takes the tasks whose name or topic contains the text.
`;

const { values } = parseArgs({
  options: {
    lane: { type: 'string', multiple: true },
    task: { type: 'string', default: '' },
    model: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { LLM_API_KEY: modelKey, LLM_BASE_URL: modelUrl } = process.env;
const isMode = (name: string): name is Mode => modes.some((mode) => mode === name);
const asked = values.lane ?? (modelKey ? modes : ['grammar', 'scripted']);
const chosen = tasks.filter(({ name, topic }) => name.includes(values.task) || topic === values.task);

if (values.help || !asked.every(isMode) || chosen.length === 0) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
if (asked.includes('provider') && !modelKey) {
  process.stderr.write('The lane provider needs LLM_API_KEY.\n');
  process.exit(2);
}
try {
  const attempts = await runEval({
    modes: asked.filter(isMode),
    tasks: chosen,
    ...(values.model && { model: values.model }),
    ...(modelKey && { modelKey }),
    ...(modelUrl && { modelUrl }),
    onAttempt: ({ lane, task, problem }) =>
      process.stderr.write(
        `${problem === null ? 'ok' : 'NO'}  ${lane}, ${task}${problem === null ? '' : `: ${problem}`}\n`,
      ),
  });
  process.stdout.write(values.json ? `${JSON.stringify(attempts, null, 2)}\n` : `${table(attempts)}\n`);
  process.exitCode = attempts.every(({ problem }) => problem === null) ? 0 : 1;
} finally {
  removeTempDirs();
}
