import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { agents, sessions, type AgentSession } from '../../../../contracts/client/index.ts';
import { dayMs } from '../../../../contracts/durations.ts';
import { readBrowserChoices, type BrowserChoices, type Names } from '../../parts/browser-choices.ts';
import { Card } from '../../parts/card.tsx';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { shortId } from '../../parts/record.tsx';
import { connection, owner } from '../../service.ts';
import { words } from './strings.ts';

/** Choices for a new agent session: names by id. */
interface Choices extends BrowserChoices {
  readonly sessions: Names;
}

async function readChoices(): Promise<Choices> {
  const [choices, ownSessions] = await Promise.all([
    readBrowserChoices(),
    sessions(connection).list({ limit: 100 }).byPage().next(),
  ]);
  const ready = (ownSessions.value?.data ?? []).filter(({ status }) => status === 'ready');
  return {
    ...choices,
    sessions: Object.fromEntries(ready.map(({ id, label }) => [id, label || shortId(id)])),
  };
}

export const NewAgent = () => (
  <Card title={words.start}>
    <Read what={words.start} read={readChoices} everyMs={dayMs}>
      {(choices) => <Start choices={choices} />}
    </Read>
  </Card>
);

type Mode = AgentSession['mode'];

const useDraft = () => ({
  mode: useSignal<string>('ai'),
  url: useSignal(''),
  session: useSignal(''),
  profile: useSignal(''),
  proxy: useSignal(''),
  budget: useSignal(''),
});

function bodyOf({ mode, url, session, profile, proxy, budget }: ReturnType<typeof useDraft>) {
  const browser = {
    ...(url.value !== '' && { initial_url: url.value }),
    ...(profile.value !== '' && { profile_id: profile.value }),
    ...(proxy.value !== '' && { proxy_id: proxy.value }),
  };
  return {
    mode: mode.value as Mode,
    ...(session.value === '' ? browser : { service_session_id: session.value }),
    ...(budget.value !== '' && { token_budget: Number(budget.value) }),
  };
}

function Start({ choices }: { readonly choices: Choices }) {
  const draft = useDraft();
  const { mode, url, session, profile, proxy, budget } = draft;
  const { route } = useLocation();
  const submit = async () => {
    const { id } = await agents(connection).create(bodyOf(draft));
    route(addressOf(`/agents/${id}`));
  };
  const hint = words.modeHint[mode.value as Mode];
  return (
    <Form submit={words.startButton} onSubmit={submit}>
      <Choice label={words.mode} value={mode} options={words.modes} hint={hint} />
      <Choice label={words.browser} value={session} options={{ '': words.ownBrowser, ...choices.sessions }} />
      {session.value === '' && (
        <>
          <Field label={words.initialUrl} value={url} type="url" isOptional />
          <Choice
            label={words.profile}
            value={profile}
            options={{ '': words.noProfile, ...choices.profiles }}
          />
          {owner === undefined && (
            <Choice label={words.proxy} value={proxy} options={{ '': words.noProxy, ...choices.proxies }} />
          )}
        </>
      )}
      <Field label={words.budget} value={budget} type="number" isOptional hint={words.budgetHint} />
    </Form>
  );
}
