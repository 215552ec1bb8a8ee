import { presentApiKey } from '../contracts/resources/api-key.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { apiKeyList } from '../projections/queries/api-key.ts';
import type { Pages } from './engine/paging.ts';

export const apiKeyReads = ({ list }: Pages, clock: Clock) => ({
  'api-keys.list': list('api-keys.list', apiKeyList, (row) => presentApiKey(row, clock.now())),
});
