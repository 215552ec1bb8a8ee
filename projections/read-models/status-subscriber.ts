import { statusSubscriber } from '../../domain/status-subscriber.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** Subscribers of incidents, confirmed or pending, by the uuid of their stream. Addresses are sealed. */
export const statusSubscribers = stateReadModel('status_subscribers', statusSubscriber, {
  idOf: (uuid) => uuid,
  indexes: ["(id) where state -> 'confirmed' <> 'null'::jsonb"],
});
