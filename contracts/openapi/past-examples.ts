const at = '2026-01-31T09:30:00.000Z';
const accountId = 'acc_0198f0a1-1111-7abc-8def-0123456789ab';

/** A session became ready. */
const becameReady = {
  position: '180421/180421',
  at,
  action: 'SessionReady',
  actor: { kind: 'api_key', account_id: accountId },
  request_id: 'req_0198f0a9-8888-7abc-8def-0123456789ab',
  changes: [
    { path: '/status', before: 'creating', after: 'ready' },
    { path: '/ready_at', before: null, after: at },
  ],
};

/** Examples of histories, and of routes with `as_of`. */
export const pastExamples = {
  'sessions.past': { response: { data: [becameReady], has_more: false, next_cursor: '' } },
  'api-keys.get': {
    response: {
      ...{
        id: 'key_0198f0aa-9999-7abc-8def-0123456789ab',
        name: 'ci',
        prefix: 'svc_live_4hB2',
        last4: 'x9Qz',
      },
      ...{ scopes: ['read', 'write'], status: 'active', created_at: at, expires_at: null, revoked_at: null },
      ...{ last_used_at: at, created_by: { account_id: accountId, api_key_id: null } },
    },
  },
};
