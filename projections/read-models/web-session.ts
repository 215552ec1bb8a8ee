import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import { webSessionEvents } from '../../contracts/events/web-session.ts';
import type { AccountId, WebSessionId } from '../../contracts/ids.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, textOf } from '../engine/table.ts';

/** Every web session, ended ones included: an ended one gets another problem than an unknown one. No token is stored. */
export const webSessions = readModel('web_sessions', {
  of: webSessionEvents,
  id: 'webSession',
  columns: {
    id: textOf<WebSessionId>(),
    account_id: textOf<AccountId>(),
    kind: textOf<CredentialKind>(),
    scopes: jsonOf<Scope[]>(),
    epoch: column.integer,
    refresh_until: column.time,
    ended_at: column.optionalTime,
    created_at: column.time,
  },
  indexes: ['(account_id, created_at desc, id desc)'],
  handlers: 1,
  creates: {
    WebSessionOpened: ({ data }) => ({
      id: data.webSessionId,
      account_id: data.accountId,
      kind: data.kind,
      scopes: data.scopes,
      epoch: data.epoch,
      refresh_until: data.refreshUntil,
      ended_at: null,
      created_at: data.at,
    }),
  },
  changes: {
    WebSessionRefreshed: ({ data }) => ({ refresh_until: data.refreshUntil }),
    WebSessionEnded: ({ data }) => ({ ended_at: data.at }),
  },
});
