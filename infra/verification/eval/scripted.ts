import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { grammar } from '../../model/grammar/grammar.ts';
import {
  failing,
  planning,
  usingTool,
  type ModelReply,
  type TestModelProvider,
} from '../testbed/model-provider.ts';
import { decideByRules } from './policy/policy.ts';
import { parsePrompt } from './policy/prompt.ts';
import type { EvalSite } from './site.ts';
import { NotInPrompt, type Reply, type Turn } from './task.ts';

export const at = ({ url }: Pick<EvalSite, 'url'>, text: string): string => text.replaceAll('{site}', url);

/** Pauses and looks again, for a page that has not loaded yet. */
const lookAgain = usingTool({
  decision: 'plan',
  intents: [{ kind: 'behavioral_pause', duration_ms: 500 }],
  after: 'look',
});

/** Makes the provider answer with the turn's replies; by default with the plan of its sentences. */
export function script(provider: TestModelProvider, site: EvalSite, turn: Turn): void {
  const replies = [...(turn.replies ?? [() => planOf(at(site, turn.sentences))])];
  provider.otherwise((response, body) => {
    const answer = replies[0] === undefined ? failing(400) : answerOf(replies[0], site, promptOf(body));
    if (answer !== lookAgain) replies.shift();
    return answer(response, body);
  });
}

function answerOf(reply: Reply, site: EvalSite, prompt: string): ModelReply {
  try {
    return reply(site.url, prompt, site.elsewhere);
  } catch (error) {
    if (error instanceof NotInPrompt) return lookAgain;
    throw error;
  }
}

/** Makes the provider answer by the policy's rules. */
export const decideByPolicy = (provider: TestModelProvider): void =>
  provider.otherwise((response, body) => usingTool(decideByRules(parsePrompt(body)))(response, body));

function planOf(sentences: string): ModelReply {
  const understood = grammar(sentences);
  if (!understood.covers) throw new Error(`The grammar does not cover: ${understood.rest}`);
  return planning(understood.intents);
}

/** The text of a model's prompt. */
export const promptOf = ({ messages }: MessageCreateParams): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
    )
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
