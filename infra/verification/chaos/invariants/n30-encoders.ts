import { grouped, type DriverLine, type Evidence } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';

export const nothingIsShownToNobody: Invariant = {
  id: 'N30',
  holds:
    'No window is shown without a viewer for more than ten seconds, and none once everybody has left; the picture of a browser ends with it.',
  judged:
    'the node’s own counts, sampled through the run and after it; encoder processes after it; the starts and ends of pictures in the driver’s log',
  violations: (evidence) => [...unwatched(evidence), ...left(evidence), ...unhidden(evidence)],
};

const ALLOWED_MS = 10_000;
/** Samples further apart prove nothing about the time between them: the node was unavailable. */
const GAP_MS = 3_000;

function unwatched({ live: { use } }: Evidence): Violation[] {
  let since: number | undefined;
  let before = 0;
  for (const { at, viewers, encoders } of use) {
    if (viewers > 0 || encoders === 0 || at - before > GAP_MS) since = undefined;
    else since ??= before;
    if (since !== undefined && at - since > ALLOWED_MS)
      return [{ what: `${encoders} windows were shown to nobody for ${at - since} ms` }];
    before = at;
  }
  return [];
}

function left({ live: { use, visits, encodersLeft } }: Evidence): Violation[] {
  const last = use.at(-1);
  if (visits.length === 0 || (last?.viewers === 0 && last.encoders === 0 && encodersLeft === 0)) return [];
  if (last === undefined) return [{ what: 'no node told its use of live view' }];
  const { viewers, encoders } = last;
  return [
    {
      what: `everybody has left, and there are ${viewers} viewers, ${encoders} pictures and ${encodersLeft} encoders`,
    },
  ];
}

/** Each picture that begins must end, at the latest with its browser. A node that was killed ends all of its own. */
function unhidden({ driver, kills }: Evidence): Violation[] {
  if (kills.includes('node')) return [];
  const lines = driver.filter(({ action }) => action === 'show' || action === 'hide');
  return [...grouped(lines, ({ session_id }) => session_id)].flatMap(([session, of]) => {
    const count = (wanted: string) => of.filter(({ action }: DriverLine) => action === wanted).length;
    const open = count('show') - count('hide');
    return open === 0 ? [] : [{ what: `${open} pictures of ${session} have no end` }];
  });
}
