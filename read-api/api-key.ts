import { presentApiKey } from '../contracts/resources/api-key.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { apiKeyById, apiKeyList } from '../projections/queries/api-key.ts';
import { apiKeys } from '../projections/read-models/api-key.ts';
import type { Details } from './engine/details.ts';
import type { Pages } from './engine/paging.ts';
import { idOf, type Read } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';

export const apiKeyReads = (read: Read, { list }: Pages, details: Details, clock: Clock) => ({
  'api-keys.list': list('api-keys.list', apiKeyList, (row) => presentApiKey(row, clock.now())),
  ...details(
    'api-keys',
    ownResource(read, {
      model: apiKeys,
      idOf: (text) => idOf('apiKey', text),
      statement: apiKeyById,
      show: ({ last_used_at, ...row }, at) =>
        presentApiKey({ ...row, last_used_at: usedBy(last_used_at, at) }, at),
    }),
  ),
});

/** The last use is not in the log; earlier uses are unknown. */
const usedBy = (usedAt: string | null, at: Date): string | null =>
  usedAt !== null && new Date(usedAt) <= at ? usedAt : null;
