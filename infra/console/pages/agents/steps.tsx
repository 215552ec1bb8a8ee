import type {
  IntentResult,
  MessageAnswer,
  ShownIntent,
  TranscriptEntry,
} from '../../../../contracts/client/index.ts';
import { Json, Status } from '../../parts/record.tsx';
import { filled } from '../../strings.ts';
import { usageOf } from './conversation.ts';
import { words } from './strings.ts';

/** The texts in an intent, in its order; joined they are one line. */
const leavesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

export function intentText({ kind, ...rest }: ShownIntent): string {
  const name = words.intents[kind];
  return [name, ...leavesOf(rest)].filter((each) => each !== '').join(' ');
}

interface StepsProps {
  readonly intents: readonly ShownIntent[];
  readonly results?: readonly IntentResult[];
}

/** The steps of a turn, each with its result if known. */
export const Steps = ({ intents, results }: StepsProps) =>
  intents.length === 0 ? null : (
    <ol class="steps" aria-label={words.steps}>
      {intents.map((intent, index) => (
        <li key={index}>
          <bdi>{intentText(intent)}</bdi>
          {results && <Became of={results[index]} />}
        </li>
      ))}
    </ol>
  );

function Became({ of }: { readonly of: IntentResult | undefined }) {
  if (of === undefined) return <Status tone="wait" word={words.open} />;
  if (of.kind === 'failure')
    return (
      <>
        <Status tone="bad" word={words.failed} />
        <p class="hint">{of.diagnosis.retryable ? `${of.reason} ${words.mayRepeat}` : of.reason}</p>
      </>
    );
  const { target } = of;
  return (
    <>
      <Status tone="good" word={words.done} />
      {target && (
        <p class="hint">
          {`${filled(words.met, { role: target.role, text: target.text })} `}
          <code>{target.selector}</code>
        </p>
      )}
    </>
  );
}

interface ResultProps {
  readonly of: Pick<TranscriptEntry, 'result' | 'result_error'>;
}

/** The result in the form that a message asked for, or why there is none. */
function Result({ of: { result, result_error: why } }: ResultProps) {
  if (why) return <p class="hint">{filled(words.noResult, { why })}</p>;
  return result === undefined ? null : <Json value={result} />;
}

/** The steps and the result of a turn, as the transcript has them. */
export const Done = ({ entry }: { readonly entry: TranscriptEntry }) => (
  <>
    <Steps intents={entry.intents ?? []} />
    <Result of={entry} />
  </>
);

/** The outcome of a turn, beside its entry in the conversation. */
export function Came({ answer }: { readonly answer: MessageAnswer }) {
  const usage = usageOf(answer);
  const rounds = 'rounds' in answer ? answer.rounds : undefined;
  return (
    <div class="came">
      {answer.kind === 'plan-executed' && <Steps intents={answer.intents} results={answer.results} />}
      {'result' in answer && <Result of={answer} />}
      {usage !== undefined && (
        <p class="hint">
          {usage.decomposer_kind === 'deterministic'
            ? words.byRules
            : filled(words.usage, {
                input: usage.provider_input_tokens ?? 0,
                output: usage.provider_output_tokens ?? 0,
                cents: usage.cost_usd_cents ?? 0,
                rounds: rounds ?? 1,
              })}
        </p>
      )}
    </div>
  );
}
