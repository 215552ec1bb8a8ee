import type { Subject } from './subject.ts';

/** `R4` names R4a and R4b, but `R1` not R17. */
const isCalled = (id: string, name: string): boolean =>
  id.startsWith(name) && !/^\d/.test(id.slice(name.length));

/**
 * The subjects whose ids start with one of the names; without names, all that do not take minutes. @throws if a name
 * matches none
 */
export function chooseSubjects(subjects: readonly Subject[], names: readonly string[]): readonly Subject[] {
  const unknown = names.filter((name) => !subjects.some(({ id }) => isCalled(id, name)));
  if (unknown.length > 0)
    throw new Error(`Nothing is called ${unknown.join(' or ')}; there are ${listIds(subjects)}.`);
  return names.length === 0
    ? subjects.filter(({ long }) => long !== true)
    : subjects.filter(({ id }) => names.some((name) => isCalled(id, name)));
}

export const listIds = (subjects: readonly Subject[]): string => subjects.map(({ id }) => id).join(', ');
