import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { AskForLink } from '../parts/ask-for-link.tsx';
import { LinkPage } from '../parts/link-page.tsx';
import { takeToken } from '../parts/token.ts';
import { signInBy } from '../session.ts';
import { words } from '../strings.ts';

export function MagicLink() {
  const { route } = useLocation();
  const hasToken = useMemo(() => takeToken() !== '', []);
  if (!hasToken) return <AskForLink title={words.magicTitle} path="/v1/auth/magic-link/request" />;
  return (
    <LinkPage
      title={words.magicTitle}
      submit={words.signIn}
      use={async (token) => {
        route(await signInBy('/v1/auth/magic-link/consume', { token }));
        return undefined;
      }}
    />
  );
}
