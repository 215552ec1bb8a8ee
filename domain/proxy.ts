import type { ProxyCheck, ProxyEvent, ProxyFields } from '../contracts/events/proxy.ts';
import { refuse } from '../contracts/problems.ts';
import { proxies } from '../contracts/records.ts';
import {
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
export type ProxyCommand = RecordCommand<ProxyFields> | ChangeRecord<ProxyFields> | RecordProxyCheck;

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
      return record.decide(command.type === 'Change' ? voiding(command, state) : command, state);
    },
    evolve: (state, event) => {
      if (event.type !== 'ProxyChecked') return record.evolve(state, event);
      if (state.status !== 'live') return state;
      return { ...state, fields: { ...state.fields, lastCheck: event.data.check } };
    },
  },
};

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
