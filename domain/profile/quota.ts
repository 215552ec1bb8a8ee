import { accountProfilesEvents } from '../../contracts/events/profile.ts';
import { recordQuota } from '../kit/quota.ts';

/** Names and number of an account's profiles. One in the trash holds neither. */
export const accountProfiles = recordQuota(accountProfilesEvents, 'ProfileQuota', 'profile');
