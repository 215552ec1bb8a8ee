import { useSignal } from '@preact/signals';
import { webhooks } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = webhooks(connection);

const timeOf = (date: string): string => new Date(`${date}T00:00`).toISOString();

/** Shows how many deliveries a replay would make before starting it. */
export function Replay({ id }: { readonly id: string }) {
  const since = useSignal('');
  const until = useSignal('');
  const matching = useSignal<number | undefined>(undefined);
  const range = () => ({
    since: timeOf(since.value),
    ...(until.value === '' ? {} : { until: timeOf(until.value) }),
  });
  const count = async () => {
    const forecast = await service.replay(id, { ...range(), dry_run: true });
    matching.value = 'matching' in forecast ? forecast.matching : undefined;
  };
  const replay = async () => {
    const begun = await service.replay(id, range());
    return 'id' in begun ? filled(words.replaying, { id: begun.id }) : undefined;
  };
  return (
    <>
      <Form submit={words.count} onSubmit={count}>
        <Field label={words.since} value={since} type="date" />
        <Field label={words.until} value={until} type="date" hint={words.untilHint} isOptional />
      </Form>
      {matching.value !== undefined && (
        <>
          <p role="status">{filled(words.matching, { count: matching.value })}</p>
          <Act
            label={filled(words.replayNow, { count: matching.value })}
            kind="main"
            isDisabled={matching.value === 0}
            act={replay}
          />
        </>
      )}
    </>
  );
}
