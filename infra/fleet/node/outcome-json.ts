import type { CreateOutcome, OperationOutcome, PutFileOutcome } from '../../../contracts/fleet/protocol.ts';

export type DispatchOutcome = CreateOutcome | OperationOutcome | PutFileOutcome;

const texts = new WeakMap<DispatchOutcome, string>();

/** The outcome as JSON. Its text is made once, since it may have megabytes: for its length, and to be sent and kept. */
export function jsonOf(outcome: DispatchOutcome): string {
  const text = texts.get(outcome) ?? JSON.stringify(outcome);
  texts.set(outcome, text);
  return text;
}

const besideResult = JSON.stringify({ outcome: 'succeeded', result: 0 }).length - 1;

/** Length of the JSON of an operation's result, in characters. */
export const resultLength = (outcome: OperationOutcome & { readonly outcome: 'succeeded' }): number =>
  jsonOf(outcome).length - besideResult;
