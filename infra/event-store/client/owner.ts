import { parseId, type AccountId } from '../../../contracts/ids.ts';
import type { RecordedEvent } from './types.ts';

/** The account that an event belongs to, independent of the actor; `undefined` if there is none, as for nodes. */
export const ownerOf = ({ metadata }: Pick<RecordedEvent, 'metadata'>): AccountId | undefined =>
  parseId('account', metadata.actor.account_id ?? '');
