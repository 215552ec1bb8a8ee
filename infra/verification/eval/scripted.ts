import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { grammar } from '../../model/grammar/grammar.ts';
import { planning, type ModelReply, type TestModelProvider } from '../testbed/model-provider.ts';
import type { Turn } from './task.ts';

export const at = (site: string, text: string): string => text.replaceAll('{site}', site);

/** Has the provider answer what the turn says; where it says nothing, the plan that its sentences are. */
export function script(provider: TestModelProvider, site: string, turn: Turn): void {
  const replies = turn.replies ?? [() => planOf(at(site, turn.sentences))];
  const scripted = replies.map(
    (reply): ModelReply =>
      (response, body) =>
        reply(site, promptOf(body))(response, body),
  );
  provider.replies(...scripted);
}

function planOf(sentences: string): ModelReply {
  const understood = grammar(sentences);
  if (!understood.covers) throw new Error(`The grammar does not cover: ${understood.rest}`);
  return planning(understood.intents);
}

/** All that a model is told. */
const promptOf = ({ messages }: MessageCreateParams): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
    )
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
