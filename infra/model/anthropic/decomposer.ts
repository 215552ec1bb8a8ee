import type { ContentBlock, Message, MessageParam, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import type { Plan } from '../../../contracts/resources/agent-turn.ts';
import {
  ProviderUnavailable,
  RequestNotTaken,
  type ModelCall,
  type ModelDecomposer,
  type ModelUsage,
} from '../port.ts';
import { markSensitive } from '../sensitive.ts';
import { corrected } from './corrected.ts';
import { fillIn } from './fill-in.ts';
import { createMessages, type MessagesOptions } from './messages.ts';
import { planTool, planToolName, readPlan, type ReadPlan } from './plan-tool.ts';
import { inputOf, planSystem, readBackSystem } from './prompt.ts';
import { UsageTally, type AskMessages } from './usage.ts';

/** Maximum tokens of an answer: a long plan, with a long text to type. */
const longestPlanTokens = 8192;
const longestAnswerTokens = 2048;

/** A decomposer by the Messages API of a provider compatible with Anthropic's. */
export function createAnthropicDecomposer(options: MessagesOptions): ModelDecomposer {
  const ask = createMessages(options);
  const tool = planTool();
  const planning = (call: ModelCall, messages: MessageParam[], tally: UsageTally): Promise<Message> =>
    ask(
      call,
      {
        model: call.model,
        max_tokens: longestPlanTokens,
        system: planSystem,
        tools: [tool],
        tool_choice: { type: 'tool', name: planToolName, disable_parallel_tool_use: true },
        messages,
      },
      tally,
    );
  const decompose: ModelDecomposer['decompose'] = async (call) => {
    const tally = new UsageTally();
    const messages = [inputOf(call)];
    const first = await planning(call, messages, tally);
    const read = planOf(first);
    if ('plan' in read) return { plan: finished(read.plan, call), usage: tally.total };
    const again = [...messages, ...corrected(first, read.fault, planToolName)];
    const second = planOf(await planning(call, again, tally));
    const plan: Plan = 'plan' in second ? second.plan : { decision: 'refuse', reason: noPlan };
    return { plan: finished(plan, call), usage: tally.total };
  };
  const asTaken = withPictures();
  return {
    decompose: (call) => asTaken(call, decompose),
    readBack: (call) => asTaken(call, (taken) => readBack(ask, taken)),
    fillIn: (call, form) => asTaken(call, (taken) => fillIn(ask, taken, form)),
  };
}

/** Retries without the picture for a model that does not take pictures, and then never sends it one again. */
function withPictures() {
  const blind = new Set<string>();
  return async <T>(call: ModelCall, work: (call: ModelCall) => Promise<T>): Promise<T> => {
    const { picture = null, model } = call;
    if (picture === null || blind.has(model)) return work({ ...call, picture: null });
    try {
      return await work(call);
    } catch (error) {
      if (!(error instanceof RequestNotTaken)) throw error;
      const answer = await work({ ...call, picture: null });
      blind.add(model);
      return answer;
    }
  };
}

const noPlan = 'The model gave no valid plan, twice. Say it in other words, or in smaller steps.';
const declined = 'The model declined to answer.';

const finished = (plan: Plan, { page }: ModelCall): Plan =>
  plan.decision === 'plan' ? { ...plan, intents: [...markSensitive(plan.intents, page)] } : plan;

/** The plan in an answer's single use of the tool. */
function planOf({ content, stop_reason: stopReason }: Message): ReadPlan {
  if (stopReason === 'refusal') return { plan: { decision: 'refuse', reason: declined } };
  if (stopReason === 'max_tokens')
    return { fault: 'The answer was cut off, for it was too long. Give a shorter one.' };
  const [use, ...more] = content.filter(isPlanUse);
  if (use === undefined) return { fault: `The answer did not use the tool \`${planToolName}\`.` };
  return more.length > 0 ? { fault: `Use \`${planToolName}\` once.` } : readPlan(use.input);
}

const isPlanUse = (block: ContentBlock): block is ToolUseBlock =>
  block.type === 'tool_use' && block.name === planToolName;

async function readBack(
  ask: AskMessages,
  call: ModelCall,
): Promise<{ readonly answer: string; readonly usage: ModelUsage }> {
  const tally = new UsageTally();
  const answer = await ask(
    call,
    { model: call.model, max_tokens: longestAnswerTokens, system: readBackSystem, messages: [inputOf(call)] },
    tally,
  );
  const text = answer.stop_reason === 'refusal' ? declined : answerOf(answer);
  if (text === '') throw new ProviderUnavailable('The model gave no answer.', 1, tally.known);
  return { answer: text, usage: tally.total };
}

/** The answer's text, or its text in the tool for plans. */
function answerOf({ content }: Message): string {
  const [use] = content.filter(isPlanUse);
  const read = use === undefined ? undefined : readPlan(use.input);
  if (read && 'plan' in read && read.plan.decision === 'answer') return read.plan.answer.trim();
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('')
    .trim();
}
