import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { archetypes, sessions } from '../../../../contracts/client/index.ts';
import { dayMs } from '../../../../contracts/durations.ts';
import { readBrowserChoices, type BrowserChoices, type Names } from '../../parts/browser-choices.ts';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { connection, owner } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

/** Choices for a new session: names by id. */
interface Choices extends BrowserChoices {
  readonly archetype: string;
  readonly archetypes: Names;
}

async function readChoices(): Promise<Choices> {
  const [catalogue, choices] = await Promise.all([archetypes(connection).list(), readBrowserChoices()]);
  const usual = (id: string, name: string) =>
    id === catalogue.default ? filled(words.defaultArchetype, { name }) : name;
  return {
    ...choices,
    archetype: catalogue.default,
    archetypes: Object.fromEntries(catalogue.archetypes.map(({ id, name }) => [id, usual(id, name)])),
  };
}

/** A button that starts a session and opens its page. */
export const NewSession = () => (
  <Opens label={words.start} title={words.startTitle} kind="main">
    {() => (
      <Read what={words.start} read={readChoices} everyMs={dayMs}>
        {(choices) => <Start choices={choices} />}
      </Read>
    )}
  </Opens>
);

function Start({ choices }: { readonly choices: Choices }) {
  const [archetype, profile, proxy, label] = [
    useSignal(choices.archetype),
    useSignal(''),
    useSignal(''),
    useSignal(''),
  ];
  const { route } = useLocation();
  const start = async () => {
    const { id } = await sessions(connection).create({
      archetype: archetype.value,
      ...(profile.value !== '' && { profile_id: profile.value }),
      ...(proxy.value !== '' && { proxy_id: proxy.value }),
      ...(label.value !== '' && { label: label.value }),
    });
    route(addressOf(`/sessions/${id}`));
  };
  return (
    <Form submit={words.startButton} onSubmit={start}>
      <Choice label={words.archetype} value={archetype} options={choices.archetypes} />
      <Choice label={words.profile} value={profile} options={{ '': words.noProfile, ...choices.profiles }} />
      {owner === undefined && (
        <Choice label={words.proxy} value={proxy} options={{ '': words.noProxy, ...choices.proxies }} />
      )}
      <Field label={words.label} value={label} isOptional maxLength={200} hint={words.starting} />
    </Form>
  );
}
