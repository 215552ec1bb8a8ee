import type { ProxyCheck, ProxyEvent, ProxyFields } from '../contracts/events/proxy.ts';
import { refuse } from '../contracts/problems.ts';
import { proxies } from '../contracts/records.ts';
import type { Command } from './kit/decider.ts';
import {
  assertReserved,
  newerLapse,
  recordNoun,
  type ChangeRecord,
  type RecordCommand,
  type RecordNoun,
  type RecordState,
} from './kit/record.ts';

type ProxyState = RecordState<ProxyFields>;
/** The result of a check, with the checked fields: it is void if these have changed since. */
interface RecordProxyCheck {
  readonly type: 'RecordCheck';
  readonly tried: ProxyFields;
  readonly check: ProxyCheck;
}
/** No change of the label by a reservation made at `since` or before may succeed any more. */
type LapseReservation = Command<'LapseReservation', { since: string }>;
export type ProxyCommand =
  | RecordCommand<ProxyFields>
  | ChangeRecord<ProxyFields>
  | RecordProxyCheck
  | LapseReservation;

const { record, ...noun } = recordNoun<'Proxy', ProxyFields>('Proxy', proxies, ({ label }) => label);

/**
 * Saved proxies. A change of address or credentials voids the last check. The password is bound to one user at one address: a
 * change of either must include it again.
 */
export const proxyNoun: RecordNoun<ProxyFields, ProxyCommand, ProxyEvent> = {
  ...noun,
  record: {
    ...record,
    decide: (command, state) => {
      if (command.type === 'RecordCheck') return recordCheck(command, state);
      if (command.type === 'LapseReservation') return lapse(command, state);
      return command.type === 'Change' ? change(command, state) : record.decide(command, state);
    },
    evolve: (state, event) => {
      if (event.type !== 'ProxyChecked' && event.type !== 'ProxyReservationLapsed')
        return record.evolve(state, event);
      if (state.status !== 'live') return state;
      if (event.type === 'ProxyReservationLapsed')
        return { ...state, lapsed: newerLapse(state.lapsed, event.data.since) };
      return { ...state, fields: { ...state.fields, lastCheck: event.data.check } };
    },
  },
};

function change(command: ChangeRecord<ProxyFields>, state: ProxyState): readonly ProxyEvent[] {
  const events = record.decide(voiding(command, state), state);
  const isRenamed = events.some(({ data }) => 'changes' in data && data.changes.label !== undefined);
  if (isRenamed && state.status === 'live') assertReserved(state.lapsed, command.reservedAt);
  return events;
}

function lapse({ since, at }: LapseReservation, state: ProxyState): readonly ProxyEvent[] {
  if (state.status !== 'live' || state.lapsed === newerLapse(state.lapsed, since)) return [];
  const { id, accountId } = state;
  return [{ type: 'ProxyReservationLapsed', data: { id, accountId, since, at } }];
}

/** The change, together with what it voids. */
function voiding(command: ChangeRecord<ProxyFields>, state: ProxyState): ChangeRecord<ProxyFields> {
  const { changes } = command;
  if (!isElsewhere(changes)) return command;
  const forgotten = isForAnother(changes, state) ? { sealedPassword: null } : {};
  return { ...command, changes: { ...forgotten, ...changes, lastCheck: null } };
}

const isElsewhere = ({ label: _, ...changes }: Partial<ProxyFields>): boolean =>
  Object.keys(changes).length > 0;

const passwordIsFor = ['scheme', 'host', 'port', 'username'] as const;

const isForAnother = (changes: Partial<ProxyFields>, state: ProxyState): boolean =>
  'fields' in state &&
  passwordIsFor.some((name) => changes[name] !== undefined && changes[name] !== state.fields[name]);

function recordCheck({ tried, check }: RecordProxyCheck, state: ProxyState): readonly ProxyEvent[] {
  if (state.status !== 'live') throw refuse('not-found');
  const { id, accountId, fields } = state;
  if (wayOf(tried) !== wayOf(fields))
    throw refuse('conflict', 'The proxy was changed while it was being tested. Test it again.');
  return [{ type: 'ProxyChecked', data: { id, accountId, check, at: check.at } }];
}

const wayOf = ({ scheme, host, port, username, sealedPassword }: ProxyFields): string =>
  JSON.stringify([scheme, host, port, username, sealedPassword]);
