import { useSignal } from '@preact/signals';
import { sessions, type NavigateResult, type StateResult } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Facts, Time, durationText, timeText } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = sessions(connection);

interface Capture {
  readonly name: string;
  readonly href: string;
}

/** A session's page and browser actions. */
export function Browser({ id }: { readonly id: string }) {
  const state = useSignal<StateResult | undefined>(undefined);
  const captures = useSignal<readonly Capture[]>([]);
  const look = async () => {
    state.value = await service.state(id);
  };
  const capture = async () => {
    const { data } = await service.capture(id, { kind: 'screenshot' });
    const name = filled(words.captureOf, { time: timeText(Date.now()) });
    captures.value = [{ name, href: `data:image/png;base64,${data}` }, ...captures.value];
  };
  return (
    <section>
      <h2>{words.page}</h2>
      <OpenAddress id={id} />
      <div class="buttons">
        <Act label={words.readState} act={look} />
        <Act label={words.screenshot} act={capture} />
      </div>
      <p class="hint">{words.pageHint}</p>
      {state.value && <State state={state.value} />}
      {captures.value.length > 0 && <Captures captures={captures.value} />}
    </section>
  );
}

const openedText = ({ final_url: url, status, duration_ms: ms }: NavigateResult): string =>
  status === null
    ? filled(words.opened, { url, time: durationText(ms) })
    : filled(words.openedStatus, { url, time: durationText(ms), status });

function OpenAddress({ id }: { readonly id: string }) {
  const url = useSignal('');
  const told = useSignal('');
  const open = async () => {
    told.value = '';
    told.value = openedText(await service.navigate(id, { url: url.value.trim() }));
  };
  return (
    <Form submit={words.openAddress} onSubmit={open}>
      <Field label={words.address} value={url} autocomplete="off" inputMode="url" />
      <p role="status">{told.value}</p>
    </Form>
  );
}

const State = ({
  state: { url, title, cookies, tabs = [], captured_at },
}: {
  readonly state: StateResult;
}) => (
  <Facts
    of={[
      [words.title, title],
      [words.address, url],
      [words.cookies, String(cookies.length)],
      [
        words.tabs,
        <ul class="tabs">
          {tabs.map((tab) => (
            <li key={tab.id} aria-current={tab.active}>
              {tab.title || tab.url}
            </li>
          ))}
        </ul>,
      ],
      [words.readAt, <Time at={captured_at} />],
    ]}
  />
);

const Captures = ({ captures }: { readonly captures: readonly Capture[] }) => (
  <>
    <h3>{words.captures}</h3>
    <p class="hint">{words.capturesHint}</p>
    <ul class="captures">
      {captures.map(({ name, href }) => (
        <li key={name}>
          <img src={href} alt={name} />
          <a href={href} download={`${name}.png`}>
            {`${words.save} ${name}`}
          </a>
        </li>
      ))}
    </ul>
  </>
);
