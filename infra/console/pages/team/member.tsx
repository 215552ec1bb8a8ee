import { useLocation, useRoute } from 'preact-iso';
import { teamMembers, type TeamMember } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';
import { Leaving } from './team.tsx';

const service = teamMembers(connection);

/** One membership: person, role, start and history. */
export function MemberPage() {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  return (
    <Read what={id} read={() => service.get(id)}>
      {(member) => (
        <Page title={member.email} actions={<Leaving of={member} onGone={() => route(addressOf('/team'))} />}>
          <What of={member} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const What = ({ of: member }: { readonly of: TeamMember }) => (
  <Facts
    of={[
      [words.membership, <Id id={member.membership_id} isHere />],
      [words.account, <Id id={member.account_id} />],
      [words.role, words.roles[member.role]],
      [words.joined, <Time at={member.joined_at} />],
    ]}
  />
);
