import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { teamOwners } from '../../../contracts/client/index.ts';
import { actFor, connection, hasKey, leave, owner } from '../service.ts';
import { words } from '../strings.ts';
import { followFeed } from './feed.ts';
import { Act } from './act.tsx';
import { Frame } from './frame.tsx';
import { KeyHelp } from './key-help.tsx';
import { Palette } from './palette.tsx';
import { places } from './places.ts';
import { me } from './signed-in.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

const links = [{ name: words.reference, href: '/reference' }];

/** The frame of the customers' console. */
export const SignedInFrame = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <Frame account={me.value && <Account />} unknown={<Unknown />} links={links}>
      {children}
    </Frame>
    <StepUpDialog />
  </>
);

/** The signed-in user: the account they act on, palette, keyboard shortcuts and sign-out. */
function Account() {
  const id = me.value?.id;
  useEffect(() => (id === undefined ? undefined : followFeed(id)), [id]);
  return (
    <div class="account">
      {(me.value?.teams.length ?? 0) > 0 && <OwnerSwitch />}
      {owner !== undefined && <OfOwnAccount />}
      <Palette />
      <KeyHelp />
      <Act label={leaveLabel} act={leave} />
    </div>
  );
}

/** Beside the owner's name: what is shown and changed here would be mistaken for the owner's. */
function OfOwnAccount() {
  const { path } = useLocation();
  return <strong role="status">{places().isOwn(path) && words.ofOwnAccount}</strong>;
}

const leaveLabel = hasKey ? words.dropKey : words.signOut;

/** Placeholder of the same size: the same buttons, invisible and out of reach. */
const Unknown = () => (
  <div class="account coming">
    {[words.goTo, words.keys, leaveLabel].map((label) => (
      <button key={label} type="button">
        {label}
      </button>
    ))}
  </div>
);

/** Selects an owner whose team the user is on, named by address once loaded. */
function OwnerSwitch() {
  const owners = useSignal<Readonly<Record<string, string>>>({});
  useEffect(() => {
    emailsOfOwners().then(
      (emails) => (owners.value = emails),
      // Ids are shown instead.
      () => undefined,
    );
  }, []);
  const all = me.value?.teams.map((team) => team.owner_account_id) ?? [];
  return (
    <select
      aria-label={words.account}
      value={owner ?? ''}
      onChange={({ currentTarget }) => actFor(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">{me.value?.email ?? words.ownAccount}</option>
      {all.map((id) => (
        <option key={id} value={id}>
          {owners.value[id] ?? id}
        </option>
      ))}
    </select>
  );
}

async function emailsOfOwners(): Promise<Readonly<Record<string, string>>> {
  const emails: Record<string, string> = {};
  for await (const { owner_account_id, email } of teamOwners(connection).list({ limit: 100 }))
    emails[owner_account_id] = email;
  return emails;
}
