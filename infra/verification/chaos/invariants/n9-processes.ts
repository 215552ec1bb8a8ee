import type { Evidence } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';

export const onlyInjectedEnds: Invariant = {
  id: 'N9',
  holds:
    'No process ends but those that were killed, nothing is thrown and not caught, and nothing is left open at exit.',
  judged:
    'the supervisor’s output, the levels in each process’s log, the exit status, and the process table after it',
  violations: (evidence) => [...ends(evidence), ...lastWords(evidence), ...atExit(evidence)],
};

function ends({ ends, kills }: Evidence): Violation[] {
  const excused = [...kills];
  return ends.flatMap(({ process, how }) => {
    const kill = excused.indexOf(process);
    if (kill >= 0 && how === 'SIGKILL') {
      excused.splice(kill, 1);
      return [];
    }
    return [{ what: `${process} ended by itself: ${how}` }];
  });
}

const lastWords = ({ processLogs }: Evidence): Violation[] =>
  Object.entries(processLogs).flatMap(([process, lines]) =>
    lines
      .filter((line) => line.includes('"level":"fatal"') || /unhandled|uncaught/i.test(line))
      .map((line) => ({ what: `${process} said: ${line.slice(0, 500)}` })),
  );

const atExit = ({ exitStatus, leftovers }: Evidence): Violation[] => [
  ...(exitStatus === 0 ? [] : [{ what: `the service ended with status ${exitStatus}` }]),
  ...leftovers.map((process) => ({ what: `${process} was left behind` })),
];
