import { area, idParam } from './rows.ts';

export const readScopes = ['read', 'read:sessions', 'account_owner'] as const;
export const rows = area({
  tag: 'Agent sessions',
  reads: readScopes,
  writes: ['write'],
  readRole: 'admin',
});
export const params = idParam('`agt_<uuid>`');
