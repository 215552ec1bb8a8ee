import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { words } from './strings.ts';
import { dropToken, takeToken } from '../../parts/token.ts';

interface LinkPageProps {
  readonly title: string;
  readonly submit: string;
  /** Consumes the token. Resolves to the message to show; undefined if it navigates to another page. */
  readonly use: (token: string) => Promise<string | undefined>;
  readonly children?: ComponentChildren;
  readonly done?: ComponentChildren;
}

/** The page of a mail's link. Requires a click, so that a mail scanner does not consume the token. */
export function LinkPage({ title, submit, use, children, done }: LinkPageProps) {
  const token = useMemo(takeToken, []);
  const told = useSignal<string | undefined>(undefined);
  const send = async () => {
    // `use` may open another page.
    const { pathname } = location;
    const says = await use(token);
    dropToken(pathname);
    told.value = says;
  };
  if (told.value !== undefined)
    return (
      <Card title={title}>
        <p role="status">{told.value}</p>
        {done}
      </Card>
    );
  return (
    <Card title={title}>
      {token === '' ? (
        <p>{words.noLink}</p>
      ) : (
        <Form submit={submit} onSubmit={send} says={{ 'invalid-auth-token': words.linkOver }}>
          {children}
        </Form>
      )}
    </Card>
  );
}

export const ToSignIn = () => (
  <p class="links">
    <a href={addressOf('/sign-in')}>{words.signIn}</a>
  </p>
);
