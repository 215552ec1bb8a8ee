import fc from 'fast-check';
import { hourMs } from '../../contracts/durations.ts';
import { toId, type Id, type IdKind } from '../../contracts/ids.ts';
import { tiers } from '../../contracts/tiers.ts';

/** Times within one hour, in any order, because clocks differ and go back. ISO 8601. */
export const time = fc
  .integer({ min: 0, max: hourMs })
  .map((ms) => new Date(Date.parse('2026-01-05T12:00:00.000Z') + ms).toISOString());

/** Later than every `time`. */
export const laterTime = fc
  .integer({ min: 1, max: hourMs })
  .map((ms) => new Date(Date.parse('2026-01-05T13:00:00.000Z') + ms).toISOString());

/** Texts of clients: any characters, names of an object's own members, very long. */
export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '__proto__', 'constructor', '\u0000', '\ud800', 'x'.repeat(300)),
);

/** From a small set, so that commands meet the same ids. */
export const idOf = <K extends IdKind>(kind: K, count = 3): fc.Arbitrary<Id<K>> =>
  fc
    .integer({ min: 1, max: count })
    .map((index) => toId(kind, `0197f1a0-0000-7000-8000-00000000000${index}`));

export const tier = fc.constantFrom(...tiers);
