import { useSignal } from '@preact/signals';
import {
  teamInvites,
  teamMembers,
  type Invitation,
  type TeamMember,
} from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const members = teamMembers(connection);
const invites = teamInvites(connection);

const memberColumns: readonly Column<TeamMember>[] = [
  { name: words.email, cell: ({ email }) => email },
  { name: words.role, cell: ({ role }) => words.roles[role] },
  { name: words.joined, cell: ({ joined_at }) => <Time at={joined_at} />, isMinor: true },
  {
    name: words.do,
    cell: (member) => (
      <div class="buttons">
        <Leaving of={member} />
      </div>
    ),
  },
];

interface LeavingProps {
  readonly of: TeamMember;
  /** Given on the membership's own page. */
  readonly onGone?: () => void;
}

/** Actions that end a membership. */
export const Leaving = ({ of: { membership_id: id, email }, onGone }: LeavingProps) => (
  <>
    <Act
      label={words.remove}
      question={{
        title: filled(words.removeTitle, { email }),
        text: words.removeText,
        confirm: words.remove,
      }}
      act={async () => {
        await members.remove(id);
        onGone?.();
      }}
    />
    <Act
      label={words.removeAll}
      question={{
        title: filled(words.removeAllTitle, { email }),
        text: words.removeAllText,
        confirm: words.removeAll,
      }}
      act={async () => {
        await members.remove(id, { keys: 'revoke' });
        onGone?.();
      }}
    />
  </>
);

const invitationColumns: readonly Column<Invitation>[] = [
  { name: words.email, cell: ({ email }) => email },
  { name: words.role, cell: ({ role }) => words.roles[role] },
  { name: words.expires, cell: ({ expires_at }) => <Time at={expires_at} />, isMinor: true },
  {
    name: words.do,
    cell: ({ id }) => (
      <Act
        label={words.withdraw}
        question={{ title: words.withdrawTitle, text: words.withdrawText, confirm: words.withdraw }}
        act={() => invites.withdraw(id)}
      />
    ),
  },
];

function Invite() {
  const email = useSignal('');
  const role = useSignal<string>('member');
  const told = useSignal('');
  const send = async () => {
    await invites.create({ email: email.value, role: role.value as Invitation['role'] });
    told.value = filled(words.invited, { email: email.value });
    email.value = '';
  };
  return (
    <section>
      <h2>{words.inviteTitle}</h2>
      <Form submit={words.invite} onSubmit={send}>
        <Field label={words.email} value={email} type="email" />
        <Choice label={words.role} value={role} options={words.roles} hint={words.rolesHint} />
      </Form>
      <p role="status">{told.value}</p>
    </section>
  );
}

/** The account's members and open invitations. */
export const Team = () => (
  <Page title={words.team}>
    <h2>{words.members}</h2>
    <List
      name={words.members}
      read={(asked) => members.list(asked)}
      keyOf={({ membership_id }) => membership_id}
      columns={memberColumns}
      hrefOf={({ membership_id }) => placeOf(membership_id)}
      empty={words.noMember}
    />
    <h2>{words.invitations}</h2>
    <List
      name={words.invitations}
      read={(asked) => invites.list(asked)}
      keyOf={({ id }) => id}
      columns={invitationColumns}
      empty={words.noInvitation}
    />
    <Invite />
  </Page>
);
