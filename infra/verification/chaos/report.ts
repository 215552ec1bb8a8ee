import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence, LogEvent } from './evidence/index.ts';
import type { PlannedFault } from './faults/plan.ts';
import { keepHistory, linesOf, type Exchange } from './history.ts';
import { liveFigures } from './live-figures.ts';
import { planOf, type RunOptions, type Verdict } from './run.ts';

type Chosen = Omit<RunOptions, 'dataDir' | 'say'>;

/** How many violations of one invariant are printed in full. */
const SHOWN = 5;

/** The command that repeats this run. */
export const repeatCommand = ({ seed, runMs, queue, browsers, only, who }: Chosen): string =>
  [
    `npm run chaos -- --seed ${seed} --minutes ${runMs / 60_000} --queue ${queue}`,
    ...(browsers === 'simulated' ? [] : [`--browsers ${browsers}`]),
    ...(only === undefined ? [] : [`--only '${only}'`]),
    ...(who === undefined ? [] : [`--who '${who}'`]),
  ].join(' ');

/** Report of a failed run: how to repeat it, the injected faults, the violations, and the history around them. */
export function report(options: RunOptions, { evidence, violations }: Verdict): readonly string[] {
  if (violations.length === 0) return [summary(evidence), ...liveFigures(evidence)];
  const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
  return [
    `seed ${options.seed}: ${violations.length} violations. Repeat it: ${repeatCommand(options)}`,
    'faults, in milliseconds from the first request:',
    ...evidence.faults.map(
      ({ name, from, to }) => `  ${since(evidence, from)}–${since(evidence, to)} ${name}`,
    ),
    ...invariants.flatMap((id) => {
      const ofOne = violations.filter(({ invariant }) => invariant === id);
      return [
        `${id}: ${ofOne.length}`,
        ...ofOne
          .slice(0, SHOWN)
          .flatMap(({ violation }) => [
            `  ${violation.what}${violation.stream === undefined ? '' : ` (${violation.stream})`}`,
            ...around(evidence, violation),
          ]),
      ];
    }),
    ...liveFigures(evidence),
    `The data directory is kept: ${options.dataDir}, with history.jsonl, live.jsonl and log.jsonl`,
  ];
}

/** The schedule alone, for a run that ended before its invariants were checked. */
export const schedule = (options: Chosen): readonly string[] =>
  planOf(options).map(
    ({ fault, at, lastsMs }: PlannedFault) =>
      `  ${at} ms ${fault.name}${lastsMs > 0 ? ` for ${lastsMs} ms` : ''}`,
  );

/**
 * Removes the directory of a run that passed. Of one that failed keeps everything, with requests and stored data as
 * lines.
 */
export function keepIfFailed(
  dataDir: string,
  { violations, evidence: { history, log, live } }: Verdict,
): void {
  if (violations.length === 0) return rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  keepHistory(dataDir, history);
  writeFileSync(join(dataDir, 'log.jsonl'), linesOf(log));
  const { visits, takeovers, holders, touches } = live;
  writeFileSync(join(dataDir, 'live.jsonl'), linesOf([...visits, ...takeovers, ...holders, ...touches]));
}

function summary({
  history,
  faults,
  log,
  driver,
  messages,
  samples,
  payments,
  queriedEffects,
}: Evidence): string {
  const count = (kind: Exchange['answer']['kind']) =>
    history.filter(({ answer }) => answer.kind === kind).length;
  const again = history.reduce((sum, { answer: { tries = 1 } }) => sum + Math.max(0, tries - 1), 0);
  return (
    `all invariants hold: ${history.length} calls (${count('done')} done, ${count('refused')} refused, ` +
    `${count('failed')} failed, ${count('unknown')} of unknown outcome, of which ${queriedEffects.length} were found out about by their requests; ` +
    `${again} requests sent again), ${faults.length} faults, ${log.length} events, ` +
    `${driver.length} driver calls, ${messages.length} webhook messages, ` +
    `${payments.invoices.length} invoices, ${payments.crypto.length} crypto payments, ${payments.callbacks.length} callbacks, ${samples.length} looks at the checkpoints`
  );
}

const since = ({ history }: Evidence, at: number): number => at - (history[0]?.sentAt ?? at);

/** The requests concerned, those sent at about the same time on the same account, and the stream. */
function around(
  evidence: Evidence,
  { requests = [], stream }: { requests?: readonly string[]; stream?: string },
): readonly string[] {
  const about = evidence.history.filter(({ id }) => requests.includes(id));
  const near = evidence.history.filter(({ account, sentAt, answeredAt = sentAt }) =>
    about.some(
      (each) =>
        each.account === account && sentAt <= (each.answeredAt ?? each.sentAt) && answeredAt >= each.sentAt,
    ),
  );
  const events = evidence.log.filter(
    (event) => event.stream === stream || requests.includes(event.requestId ?? ''),
  );
  return [
    ...near.slice(0, 12).map((exchange) => `    ${describe(evidence, exchange)}`),
    ...events.slice(0, 20).map((event) => `    ${describeEvent(event)}`),
  ];
}

const describe = (evidence: Evidence, { id, actor, target, sentAt, answeredAt, answer }: Exchange): string =>
  `${since(evidence, sentAt)}–${answeredAt === undefined ? '' : since(evidence, answeredAt)} ${actor}: ${target} → ` +
  `${'status' in answer ? answer.status : ''} ${answer.kind === 'unknown' ? answer.why : answer.text.slice(0, 160)} [${id}]`;

const describeEvent = ({ stream, revision, position, type, requestId, data }: LogEvent): string =>
  `@${position} ${stream}#${revision} ${type} at ${String(data.at)} [${requestId ?? 'system'}]`;
