import { toId, uuidOf } from '../../contracts/ids.ts';
import { isPresent } from '../../domain/profile/state.ts';
import { profile } from '../../domain/profile/profile.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { now } from '../engine/context.ts';
import { quotaStreamOf, type Reservations } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Profiles' names and shares of the account's quota. A profile in the trash, or transferred, has none. */
export const profileReservations = (ports: CommandPorts): Reservations => ({
  clock: ports.clock,
  quota: quotaStreamOf(ports.runner, accountProfiles),
  async resourceOf(id, accountId) {
    const { state } = await ports.runner.load(profile, uuidOf(id));
    if (state.status === 'none') return { kind: 'not created' };
    if (!isPresent(state)) return { kind: 'ended' };
    const isHere = state.status === 'active' && state.accountId === accountId;
    return isHere ? { kind: 'present', name: state.name } : { kind: 'not needed' };
  },
  withdraw: (id, accountId, step) => {
    const profileId = toId('profile', uuidOf(id));
    const command = { type: 'WithdrawProfile', profileId, accountId, at: now(ports) } as const;
    return ports.runner.run(profile, uuidOf(id), command, step);
  },
  lapse: (id, since, step) =>
    ports.runner.run(profile, uuidOf(id), { type: 'LapseReservation', since, at: now(ports) }, step),
});
