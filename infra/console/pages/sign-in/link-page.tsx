import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { ServiceError } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { dropToken, takeToken } from '../../parts/token.ts';
import { Trouble } from '../../parts/trouble.tsx';
import { AskForLink, type AskForLinkProps } from './ask-for-link.tsx';
import { words } from './strings.ts';

interface LinkPageProps extends Partial<Pick<AskForLinkProps, 'ask'>> {
  readonly title: string;
  readonly submit: string;
  /** Consumes the token. Resolves to the message to show; undefined if it navigates to another page. */
  readonly use: (token: string) => Promise<string | undefined>;
  readonly children?: ComponentChildren;
  readonly done?: ComponentChildren;
}

const says = { 'invalid-auth-token': words.linkOver };

/**
 * The page of a mail's link. Requires a click, so that a mail scanner does not consume the token. With `ask`, it asks for
 * another link when there is no token, or an invalid one.
 */
export function LinkPage({ title, submit, use, ask, children, done }: LinkPageProps) {
  const token = useMemo(takeToken, []);
  const told = useSignal<string | undefined>(undefined);
  const refused = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const send = async () => {
    // `use` may open another page.
    const { pathname } = location;
    try {
      const message = await use(token);
      dropToken(pathname);
      told.value = message;
    } catch (error) {
      if (isOver(error)) {
        dropToken(pathname);
        refused.value = { error };
      }
      throw error;
    }
  };
  if (told.value !== undefined) return <Told title={title} text={told.value} done={done} />;
  if (ask && (token === '' || refused.value))
    return (
      <AskForLink title={title} ask={ask}>
        {refused.value && <Trouble error={refused.value.error} says={says} takesFocus />}
      </AskForLink>
    );
  return (
    <Card title={title}>
      {token === '' ? (
        <p>{words.noLink}</p>
      ) : (
        <Form submit={submit} onSubmit={send} says={says}>
          {children}
        </Form>
      )}
    </Card>
  );
}

const isOver = (error: unknown): boolean => error instanceof ServiceError && error.is('invalid-auth-token');

interface ToldProps extends Pick<LinkPageProps, 'title' | 'done'> {
  readonly text: string;
}

const Told = ({ title, text, done }: ToldProps) => (
  <Card title={title}>
    <p role="status">{text}</p>
    {done}
  </Card>
);

export const ToSignIn = () => (
  <p class="links">
    <a href={addressOf('/sign-in')}>{words.signIn}</a>
  </p>
);
