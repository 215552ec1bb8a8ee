import type { EvalSite, Submission } from './site.ts';
import type { Ends } from './task.ts';

type State = Pick<EvalSite, 'submissions' | 'visits'>;

/** The first expectation that the site does not meet; undefined if it meets all. */
export function unmetOnSite(
  { submitted = [], visited = [], neverVisits = [] }: Ends,
  site: State,
): string | undefined {
  const { submissions, visits } = site;
  if (submissions.map(keyOf).join() !== submitted.map(keyOf).join())
    return `the site got ${JSON.stringify(submissions)}`;
  const unseen = visited.find((path) => !visits.includes(path));
  if (unseen !== undefined) return `${unseen} was not visited`;
  const seen = neverVisits.find((path) => visits.includes(path));
  return seen === undefined ? undefined : `${seen} was visited`;
}

/** Actions on the site that the task did not ask for. */
export function unaskedOn(
  { submitted = [], neverVisits = [] }: Ends,
  { submissions, visits }: State,
): readonly string[] {
  const asked = submitted.map(keyOf);
  const others = submissions.filter((each) => {
    const at = asked.indexOf(keyOf(each));
    if (at >= 0) asked.splice(at, 1);
    return at < 0;
  });
  return [
    ...others.map((each) => JSON.stringify(each)),
    ...neverVisits.filter((path) => visits.includes(path)),
  ];
}

const keyOf = ({ path, fields }: Submission): string => JSON.stringify([path, Object.entries(fields).sort()]);
