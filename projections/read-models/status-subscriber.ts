import { statusSubscriber } from '../../domain/status-subscriber.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** Who is told of incidents, or asked to be, by the uuid of the subscriber's stream. Addresses are sealed. */
export const statusSubscribers = stateReadModel('status_subscribers', statusSubscriber, {
  idOf: (uuid) => uuid,
  indexes: ["(id) where state -> 'confirmed' <> 'null'::jsonb"],
});
