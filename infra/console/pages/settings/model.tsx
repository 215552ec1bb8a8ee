import { useSignal } from '@preact/signals';
import {
  bundledLlmSettings,
  bundledLlmStatus,
  byokLlmKey,
  type BundledLlmSettings,
  type OwnLlmKey,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { moneyText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const own = byokLlmKey(connection);
const bundled = bundledLlmSettings(connection);

/** The model of the account's agents. */
export const Model = () => (
  <Page title={words.model}>
    <h2>{words.ownKey}</h2>
    <p>{words.ownKeyText}</p>
    <Read what="own" read={() => own.get()}>
      {(key) => <OwnKey of={key} />}
    </Read>
    <h2>{words.bundled}</h2>
    <Read what="bundled" read={bothOfBundled}>
      {({ settings, status }) =>
        status.available ? (
          <Bundled of={settings} spentCents={status.spent_cents} resets={status.resets_at} />
        ) : (
          <p>{words.bundledOff}</p>
        )
      }
    </Read>
  </Page>
);

async function bothOfBundled() {
  const [settings, status] = await Promise.all([bundled.get(), bundledLlmStatus(connection).get()]);
  return { settings, status };
}

const Stored = ({ of: key }: { readonly of: OwnLlmKey }) => (
  <Facts
    of={[
      [words.provider, key.provider],
      [words.ending, <code>{key.last4}</code>],
      [words.stored, <Time at={key.created_at} />],
      [words.lastTest, key.last_test && <Time at={key.last_test.checked_at} />],
    ]}
  />
);

function OwnKey({ of: key }: { readonly of: OwnLlmKey }) {
  const typed = useSignal('');
  const store = async () => {
    await own.put({ api_key: typed.value });
    typed.value = '';
  };
  const test = async () => {
    const { ok, error } = await own.test();
    return ok ? words.accepted : filled(words.refused, { reason: error ? words.tests[error] : '' });
  };
  return (
    <>
      {key.configured ? <Stored of={key} /> : <p>{words.noKey}</p>}
      {key.configured && (
        <div class="buttons">
          <Act label={words.tryIt} act={test} />
          <Act
            label={words.removeKey}
            kind="danger"
            question={{ title: words.removeKeyTitle, text: words.removeKeyText, confirm: words.removeKey }}
            act={() => own.delete()}
          />
        </div>
      )}
      <Form submit={words.save} onSubmit={store}>
        <Field label={words.apiKey} value={typed} type="password" autocomplete="off" />
      </Form>
    </>
  );
}

interface BundledProps {
  readonly of: BundledLlmSettings;
  readonly spentCents: number;
  readonly resets: string;
}

function Bundled({ of: settings, spentCents, resets }: BundledProps) {
  const { bundled_llm_consent: consents, bundled_llm_monthly_cap_usd_cents: cap } = settings;
  const typed = useSignal(String(cap / 100));
  return (
    <>
      <Facts
        of={[
          [words.spent, `${moneyText(spentCents)} / ${moneyText(cap)}`],
          [words.resets, <Time at={resets} />],
        ]}
      />
      <Act
        label={consents ? words.withdraw : words.consent}
        act={async () => void (await bundled.update({ bundled_llm_consent: !consents }))}
      />
      <Form
        submit={words.save}
        onSubmit={async () => {
          const cents = Math.round(Number(typed.value) * 100);
          await bundled.update({ bundled_llm_monthly_cap_usd_cents: cents });
        }}
      >
        <Field label={words.cap} value={typed} type="number" />
      </Form>
    </>
  );
}
