import { invalid } from '../../contracts/field-errors.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';

/** The archetype that a request asks for, or the default. Refuses one that is not in the catalogue. */
export function archetypeIn({ archetypes, default: usual }: ArchetypeCatalogue, wanted = usual): string {
  if (archetypes.some(({ id }) => id === wanted)) return wanted;
  const message = 'must be the id of an archetype in the catalogue';
  throw invalid({ path: '/body/archetype', code: 'enum', message });
}
