import { useMemo } from 'preact/hooks';
import { call } from '../api.ts';
import { LinkPage } from '../parts/link-page.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { takeToken } from '../parts/token.ts';
import { filled, words } from '../strings.ts';

/** Only the account of the address that was invited can join, so it is signed in first; the tab keeps the link's token meanwhile. */
export function Invite() {
  useMemo(takeToken, []);
  return (
    <SignedIn>
      {() => (
        <LinkPage
          title={words.inviteTitle}
          submit={words.inviteButton}
          use={async (token) => {
            const { role } = await call<{ role: string }>('POST', '/v1/team/invites/accept', { token });
            return filled(words.inviteDone, { role });
          }}
        >
          <p>{words.inviteText}</p>
        </LinkPage>
      )}
    </SignedIn>
  );
}
