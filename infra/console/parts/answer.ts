import { useSignal } from '@preact/signals';

/** A question that was asked, with its answer. */
export interface Answered<Question, Answer> {
  readonly question: Question;
  readonly answer: Answer;
}

/**
 * Asks the question that the fields contain. `answered` becomes undefined when the fields change, so that users
 * confirm only what they were shown. Questions are compared as JSON.
 */
export function useAnswer<Question, Answer>(
  question: Question,
  answerTo: (question: Question) => PromiseLike<Answer>,
): { readonly ask: () => Promise<void>; readonly answered: Answered<Question, Answer> | undefined } {
  const last = useSignal<Answered<Question, Answer> | undefined>(undefined);
  const ask = async () => {
    last.value = { question, answer: await answerTo(question) };
  };
  const isSame = JSON.stringify(last.value?.question) === JSON.stringify(question);
  return { ask, answered: isSame ? last.value : undefined };
}
