import type { ProxyCheck, ProxyEvent, ProxyFields } from '../contracts/events/proxy.ts';
import { refuse } from '../contracts/problems.ts';
import { proxies } from '../contracts/records.ts';
import type { Decider } from './kit/decider.ts';
import { recordQuota } from './kit/quota.ts';
import {
  noRecord,
  recordRules,
  type RecordCommand,
  type RecordNoun,
  type RecordState,
} from './kit/record.ts';

export type ProxyState = RecordState<ProxyFields>;
/** The result of a check, with the checked fields: it is void if these have changed since. */
export interface RecordProxyCheck {
  readonly type: 'RecordCheck';
  readonly tried: ProxyFields;
  readonly check: ProxyCheck;
}
export type ProxyCommand = RecordCommand<ProxyFields> | RecordProxyCheck;

const { decide, evolve } = recordRules<'Proxy', ProxyFields>('Proxy');

/**
 * A saved proxy. A change of address or credentials voids its last check. Its password is bound to one user at one address: after
 * a change of either it must be sent again.
 */
export const proxy: Decider<ProxyState, ProxyCommand, ProxyEvent> = {
  category: proxies.events,
  initialState: noRecord,
  decide: (command, state) => {
    if (command.type === 'RecordCheck') return recordCheck(command, state);
    if (command.type !== 'Change' || !isElsewhere(command.changes)) return decide(command, state);
    const forgotten = isForAnother(command.changes, state) ? { sealedPassword: null } : {};
    return decide({ ...command, changes: { ...forgotten, ...command.changes, lastCheck: null } }, state);
  },
  evolve: (state, event) => {
    if (event.type !== 'ProxyChecked') return evolve(state, event);
    if (state.status !== 'live') return state;
    return { ...state, fields: { ...state.fields, lastCheck: event.data.check } };
  },
};

export const proxyNoun: RecordNoun<ProxyFields, RecordProxyCheck, ProxyEvent> = {
  contract: proxies,
  record: proxy,
  quota: recordQuota(proxies.quota, 'Proxy', 'proxy'),
  nameOf: ({ label }) => label,
};

const isElsewhere = ({ label: _, ...changes }: Partial<ProxyFields>): boolean =>
  Object.keys(changes).length > 0;

const passwordIsFor = ['scheme', 'host', 'port', 'username'] as const;

const isForAnother = (changes: Partial<ProxyFields>, state: ProxyState): boolean =>
  'fields' in state &&
  passwordIsFor.some((name) => changes[name] !== undefined && changes[name] !== state.fields[name]);

function recordCheck({ tried, check }: RecordProxyCheck, state: ProxyState): readonly ProxyEvent[] {
  if (state.status !== 'live') throw refuse('not-found');
  const { id, accountId, fields } = state;
  if (wayOf(tried) !== wayOf(fields)) throw refuse('conflict', 'The proxy was changed while it was tried.');
  return [{ type: 'ProxyChecked', data: { id, accountId, check, at: check.at } }];
}

const wayOf = ({ scheme, host, port, username, sealedPassword }: ProxyFields): string =>
  JSON.stringify([scheme, host, port, username, sealedPassword]);
