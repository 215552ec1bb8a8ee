import { useMemo } from 'preact/hooks';
import { teamInvites } from '../../../../contracts/client/index.ts';
import { SignedIn } from '../../parts/signed-in.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { LinkPage } from './link-page.tsx';
import { words } from './strings.ts';
import { takeToken } from '../../parts/token.ts';

/** Only the account of the invited address can join, so the user signs in first; the tab keeps the link's token meanwhile. */
export function Invite() {
  useMemo(takeToken, []);
  return (
    <SignedIn>
      <LinkPage
        title={words.inviteTitle}
        submit={words.inviteButton}
        use={async (token) => {
          const { role } = await teamInvites(connection).accept({ token });
          return filled(words.inviteDone, { role });
        }}
      >
        <p>{words.inviteText}</p>
      </LinkPage>
    </SignedIn>
  );
}
