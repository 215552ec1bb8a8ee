import { parseArgs } from 'node:util';
import { browserPackages, needDebianPackages } from '../../main/bootstrap/debian-packages.mjs';
import { removeTempDirs } from '../testbed/temp-dir.ts';
import { table, succeeded } from './report.ts';
import { modes, type Mode } from './task.ts';
import { tasks } from './tasks/index.ts';

const usage = `npm run eval -- [--lane grammar|scripted|policy|tools|model]… [--task TEXT] [--model NAME] [--json]

Does sixty tasks on local pages, in real browsers, through the public API, and looks at how each has ended from outside. Thirty of them
lead over several pages, and none of those is for the grammar or the tools of MCP.
Lanes: grammar, scripted, policy and tools by default, and model where LLM_API_KEY is set (LLM_BASE_URL: another address of it).
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
const asked = values.lane ?? (modelKey ? modes : ['grammar', 'scripted', 'policy', 'tools']);
const chosen = tasks.filter(({ name, topic }) => name.includes(values.task) || topic === values.task);

if (values.help || !asked.every(isMode) || chosen.length === 0) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
if (asked.includes('model') && !modelKey) {
  process.stderr.write('The lane model needs LLM_API_KEY.\n');
  process.exit(2);
}
needDebianPackages(browserPackages, 'The tasks are done in real browsers.');
// Loaded only now, because it takes seconds.
const { runEval } = await import('./run.ts');
try {
  const attempts = await runEval({
    modes: asked.filter(isMode),
    tasks: chosen,
    ...(values.model && { model: values.model }),
    ...(modelKey && { modelKey }),
    ...(modelUrl && { modelUrl }),
    onAttempt: (each) => {
      const { lane, task, problem, unasked } = each;
      const what = [problem, ...unasked].filter(Boolean).map((text) => `: ${text}`);
      process.stderr.write(`${succeeded(each) ? 'ok' : 'NO'}  ${lane}, ${task}${what.join('')}\n`);
    },
  });
  process.stdout.write(values.json ? `${JSON.stringify(attempts, null, 2)}\n` : `${table(attempts)}\n`);
  process.exitCode = attempts.every(succeeded) ? 0 : 1;
} finally {
  removeTempDirs();
}
