import { deprecatedUse } from '../../domain/deprecated-use.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** Each account's uses of deprecated routes and fields. */
export const deprecatedUses = stateReadModel('deprecated_uses', deprecatedUse);
