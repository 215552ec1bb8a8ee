import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { AskForLink } from './ask-for-link.tsx';
import { LinkPage } from './link-page.tsx';
import { service, signedIn } from './steps.ts';
import { words } from './strings.ts';
import { takeToken } from '../../parts/token.ts';

export function MagicLink() {
  const { route } = useLocation();
  const hasToken = useMemo(() => takeToken() !== '', []);
  if (!hasToken) return <AskForLink title={words.magicTitle} ask={service.magicLinkRequest} />;
  return (
    <LinkPage
      title={words.magicTitle}
      submit={words.signIn}
      use={async (token) => {
        signedIn(await service.magicLinkConsume({ token }), route);
        return undefined;
      }}
    />
  );
}
