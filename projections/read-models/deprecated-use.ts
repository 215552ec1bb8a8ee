import { deprecatedUse } from '../../domain/deprecated-use.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** What each account still calls of what will go away. */
export const deprecatedUses = stateReadModel('deprecated_uses', deprecatedUse);
