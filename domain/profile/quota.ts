import { accountProfilesEvents } from '../../contracts/events/profile.ts';
import { recordQuota } from '../kit/quota.ts';

/** The profiles of an account that are not in the trash, and their names. */
export const accountProfiles = recordQuota(accountProfilesEvents, 'ProfileQuota', 'profile');
