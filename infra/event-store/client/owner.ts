import { parseId, type AccountId } from '../../../contracts/ids.ts';
import type { RecordedEvent } from './types.ts';

/** The account an event belongs to, whoever caused it; `undefined` when it belongs to none, as a node's. */
export const ownerOf = ({ metadata }: RecordedEvent): AccountId | undefined =>
  parseId('account', metadata.actor.account_id ?? '');
