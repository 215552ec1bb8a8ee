import type { Agent } from 'undici';
import { aPerson, join, type Person } from '../../../../write-api/testing/team.ts';
import type { BenchWriteSide } from '../write-side.ts';
import { calling } from './calling.ts';

export interface Team {
  readonly owner: Person;
  /** Members, each with the role admin. */
  readonly members: readonly Person[];
}

/** An owner, and members who joined by the token in their mail. */
export async function startTeam(side: BenchWriteSide, agent: Agent, size: number): Promise<Team> {
  const callable = { ...side, call: calling(agent, side.base) };
  const person = () => aPerson(callable, { tier: 'enterprise' });
  const owner = await person();
  const members = await Promise.all(Array.from({ length: size }, person));
  for (const member of members) await join(callable, owner, member, 'admin');
  return { owner, members };
}
