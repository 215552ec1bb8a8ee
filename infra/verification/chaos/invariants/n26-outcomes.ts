import { grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import { answered, type Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

export const outcomesAreTrue: Invariant = {
  id: 'N26',
  holds:
    'Nothing is in the log of a call that the typed client says was not sent; it sends no operation twice; and who asks what a call of unknown outcome has led to is told what is in the log.',
  judged:
    'the client’s verdicts and its tries, by request id, against the log; the answers of `GET /v1/requests/{id}` once everything is settled, for the newest 50 of each program',
  violations: ({ history, log, queriedEffects }) => {
    const caused = grouped(log, ({ requestId }) => requestId ?? '');
    return [
      ...history.flatMap((exchange) => [...unsent(exchange, caused), ...sentTwice(exchange)]),
      ...queriedEffects.flatMap((each) => untrue(each, caused)),
    ];
  },
};

type Caused = ReadonlyMap<string, readonly LogEvent[]>;

function unsent({ id, action, answer }: Exchange, caused: Caused): Violation[] {
  if (answer.kind !== 'unknown' || answer.isUnchanged !== true || answer.status !== undefined) return [];
  const [left] = caused.get(id) ?? [];
  return left === undefined
    ? []
    : [{ what: `a ${action} that was not sent left ${left.type}`, requests: [id] }];
}

function sentTwice({ id, action, answer: { tries = 1 } }: Exchange): Violation[] {
  return action === 'operate' && tries > 1
    ? [{ what: `an operation was sent ${tries} times`, requests: [id] }]
    : [];
}

/** A request without effects is not found, or has no events. */
function untrue({ call, reply }: Evidence['queriedEffects'][number], caused: Caused): Violation[] {
  const requests = [call.id, reply.id];
  if (reply.answer.kind !== 'done' && reply.answer.status !== 404)
    return [{ what: `what a ${call.action} has led to was not told: ${reply.answer.text}`, requests }];
  const shown = answered(reply, 'events') as readonly { readonly id: string }[] | undefined;
  const ids = new Set(shown?.map(({ id }) => id));
  return (caused.get(call.id) ?? [])
    .filter(({ id }) => !ids.has(id))
    .map(({ type }) => ({ what: `who asked what a ${call.action} led to was not told ${type}`, requests }));
}
