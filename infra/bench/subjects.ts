import type { Subject } from './subject.ts';

/** Every subject of `npm run bench`, in the order of the targets' table. */
export const subjects: readonly Subject[] = [];
