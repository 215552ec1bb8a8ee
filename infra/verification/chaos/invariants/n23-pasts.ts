import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../history.ts';
import type { Invariant } from './invariant.ts';

export const pastsAreAnswers: Invariant = {
  id: 'N23',
  holds: 'The past of a resource at the position of an answer is that answer.',
  judged:
    'answers from the clients’ history beside what `as_of` their positions says when all has come to rest',
  violations: ({ pasts }) =>
    pasts.flatMap(({ answer, past }) =>
      past.answer.kind === 'done' && isDeepStrictEqual(bodyOf(answer), bodyOf(past))
        ? []
        : [
            {
              what: `${past.target} is ${past.answer.text}, and ${answer.action} was answered ${answer.answer.text}`,
              requests: [answer.id, past.id],
            },
          ],
    ),
};

const bodyOf = ({ answer }: Exchange): unknown => JSON.parse(answer.text ?? 'null');
