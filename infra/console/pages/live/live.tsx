import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { agentSessionLinks } from '../../../../contracts/client/index.ts';
import { Card, Page } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { PhoneView } from '../../parts/phone/phone-view.tsx';
import { Phone } from '../../parts/phone/phone.ts';
import { Time } from '../../parts/record.tsx';
import { takeToken } from '../../parts/token.ts';
import { open } from '../../service.ts';
import { words } from './strings.ts';

const service = agentSessionLinks(open);

type Opened = Awaited<ReturnType<typeof service.open>>;

/** A live view for anyone with the link, without a sign-in. */
export function LivePage() {
  const token = useSignal(useMemo(takeToken, []));
  // A link that is opened in the tab of another one changes the fragment alone.
  useEffect(() => {
    const take = () => (token.value = takeToken());
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return <Opening key={token.value} token={token.value} />;
}

/** Each opening counts, so it requires a click. */
function Opening({ token }: { readonly token: string }) {
  const opened = useSignal<Opened | undefined>(undefined);
  if (opened.value !== undefined) return <Shown opened={opened.value} />;
  const show = async () => {
    opened.value = await service.open({ token });
  };
  return (
    <Card title={words.live}>
      {token === '' ? (
        <p>{words.noLink}</p>
      ) : (
        <Form submit={words.show} onSubmit={show} says={{ 'invalid-auth-token': words.over }}>
          <p>{words.handed}</p>
        </Form>
      )}
    </Card>
  );
}

function Shown({ opened: { video, right, expires_at } }: { readonly opened: Opened }) {
  const phone = useMemo(
    () => new Phone({ ticket: () => Promise.resolve(video), mayTouch: right === 'control' }),
    [video, right],
  );
  return (
    <Page title={words.live}>
      <PhoneView phone={phone} />
      <p class="hint">
        {`${words.until} `}
        <Time at={expires_at} />
      </p>
    </Page>
  );
}
