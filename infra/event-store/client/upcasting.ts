import { upcasters as registered, type Upcasters } from '../../../contracts/events/upcasters.ts';

/** Brings stored data of a type from the version it was written with to the current one. */
export type Upcast = (category: string, type: string, version: number, data: unknown) => unknown;

/**
 * Types and versions it does not know pass as they are: an older process may read what a newer one wrote, and a reader
 * takes what it knows of it.
 */
export function createUpcast(upcasters: Upcasters = registered): Upcast {
  const byCategory = new Map(Object.entries(upcasters));
  return (category, type, version, data) => {
    const steps = byCategory.get(category)?.[type];
    if (steps === undefined || data === undefined) return data;
    return steps.slice(version - 1).reduce((older: unknown, step) => step(older), data);
  };
}
