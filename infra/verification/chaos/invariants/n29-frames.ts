import type { Invariant } from './invariant.ts';

export const framesAreNotKept: Invariant = {
  id: 'N29',
  holds: 'No frame of a browser’s window is on any disk.',
  judged:
    'all files of the data directory and of running browsers, stores included, searched for what JPEG, IVF and WebM begin with and for key frames of VP8 of the sizes that were shown: while people watch, and at the end',
  violations: ({ live: { filesWithFrames } }) =>
    filesWithFrames.map((file) => ({ what: `there is a frame in ${file}` })),
};
