import { useSignal } from '@preact/signals';
import { webhooks } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { useAnswer } from '../../parts/answer.ts';
import { endOfDay, startOfDay } from '../../parts/days.ts';
import { Field, Form } from '../../parts/form.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = webhooks(connection);

interface Days {
  readonly since: string;
  /** Empty: until now. */
  readonly until: string;
}

const rangeOf = ({ since, until }: Days) => ({
  since: startOfDay(since).toISOString(),
  // The service takes no time that is to come, and without one it is now.
  ...(endOfDay(until) < new Date() && { until: endOfDay(until).toISOString() }),
});

/** Shows how many deliveries a replay would make before starting it. */
export function Replay({ id }: { readonly id: string }) {
  const since = useSignal('');
  const until = useSignal('');
  const { ask, answered } = useAnswer<Days, number | undefined>(
    { since: since.value, until: until.value },
    async (days) => {
      const forecast = await service.replay(id, { ...rangeOf(days), dry_run: true });
      return 'matching' in forecast ? forecast.matching : undefined;
    },
  );
  return (
    <>
      <Form submit={words.count} onSubmit={ask}>
        <Field label={words.since} value={since} type="date" />
        <Field label={words.until} value={until} type="date" hint={words.untilHint} isOptional />
      </Form>
      {answered?.answer !== undefined && <Counted id={id} days={answered.question} count={answered.answer} />}
    </>
  );
}

interface CountedProps {
  readonly id: string;
  readonly days: Days;
  readonly count: number;
}

function Counted({ id, days, count }: CountedProps) {
  const replay = async () => {
    const begun = await service.replay(id, rangeOf(days));
    return 'id' in begun ? filled(words.replaying, { id: begun.id }) : undefined;
  };
  return (
    <>
      <p role="status">{filled(words.matching, { count })}</p>
      <Act label={filled(words.replayNow, { count })} kind="main" isDisabled={count === 0} act={replay} />
    </>
  );
}
