import { subscription } from '../../domain/subscription.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** What the card processor knows of each account that was ever sent there. */
export const subscriptions = stateReadModel('subscriptions', subscription);
