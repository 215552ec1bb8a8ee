import { invalid } from '../../contracts/field-errors.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';

/** The archetype that a request's body asks for, or the usual one. Refuses one that the catalogue does not have. */
export function archetypeIn({ archetypes, default: usual }: ArchetypeCatalogue, wanted = usual): string {
  if (archetypes.some(({ id }) => id === wanted)) return wanted;
  const message = 'must be the id of an archetype in the catalogue';
  throw invalid({ path: '/body/archetype', code: 'enum', message });
}
