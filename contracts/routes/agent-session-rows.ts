import { area, idParam, sessionReadScopes } from './rows.ts';

export const rows = area({
  tag: 'Agent sessions',
  reads: sessionReadScopes,
  writes: ['write'],
  readRole: 'admin',
});
export const params = idParam('`agt_<uuid>`');
