import { randomOf, type Random } from '../random.ts';
import type { ActionName, Actor } from './actors.ts';

export interface Step {
  readonly action: ActionName;
  /** Milliseconds to wait before it. */
  readonly thinkMs: number;
  /** The step's own choices: how many it draws does not shift other steps. */
  readonly random: Random;
}

/** The endless list of a player's steps. The same for the same seed. */
export function* stepsOf(
  seed: number,
  { name, thinkMs, does }: Actor,
  player: number,
): Generator<Step, never> {
  const choices = Object.entries(does).map(([action, weight]) => ({ action: action as ActionName, weight }));
  const random = randomOf(seed, `${name} ${player}`);
  for (let count = 0; ; count += 1) {
    const { action } = random.weighted(choices);
    yield { action, thinkMs: random.between(0, thinkMs), random: random.of(`step ${count}`) };
  }
}
