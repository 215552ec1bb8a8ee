import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The processors for work that is not urgent: all but a quarter of them, rounded up. A single one is shared by all
 * work.
 */
export const confinedTo = (all: readonly number[]): readonly number[] =>
  all.length > 1 ? all.slice(Math.ceil(all.length / 4)) : all;

/** Numbers of the processors that the process may run on, from a list such as `0-3,8`. */
export function processorsOf(proc: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(join(proc, 'status'), 'utf8'))?.[1] ?? '0';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
