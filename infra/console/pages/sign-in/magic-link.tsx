import { useLocation } from 'preact-iso';
import { LinkPage } from './link-page.tsx';
import { service, signedIn } from './steps.ts';
import { words } from './strings.ts';

export function MagicLink() {
  const { route } = useLocation();
  return (
    <LinkPage
      title={words.magicTitle}
      submit={words.signIn}
      ask={service.magicLinkRequest}
      use={async (token) => {
        signedIn(await service.magicLinkConsume({ token }), route);
        return undefined;
      }}
    />
  );
}
