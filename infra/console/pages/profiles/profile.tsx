import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { profiles, type Profile } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { bytesText } from '../../parts/amounts.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Once } from '../../parts/once.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { Lineage } from './lineage.tsx';
import { Edit, Export, Snapshot, Transfer, Trim } from './profile-dialogs.tsx';
import { ProfileState } from './profile-state.tsx';
import { Snapshots } from './snapshots.tsx';
import { words } from './strings.ts';

const service = profiles(connection);
const changedBy = ['session.completed', 'session.profile_save_failed'];

/** One profile: contents, origin and actions. */
export function ProfilePage() {
  const { id = '' } = useRoute().params;
  const passphrase = useSignal<string | undefined>(undefined);
  return (
    <Read what={id} read={() => service.get(id)} changedBy={changedBy}>
      {(profile) => (
        <Page
          title={profile.name}
          actions={<Changes of={profile} onPassphrase={(made) => (passphrase.value = made)} />}
        >
          {passphrase.value !== undefined && (
            <Once
              title={words.exported}
              text={passphrase.value}
              file={words.exportFile}
              onKept={() => (passphrase.value = undefined)}
            />
          )}
          <What of={profile} />
          <Snapshots of={id} />
          <Lineage of={profile} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

interface ChangesProps {
  readonly of: Profile;
  readonly onPassphrase: (passphrase: string) => void;
}

const simple = { edit: Edit, snapshot: Snapshot, transfer: Transfer, trim: Trim } as const;

function Changes({ of: profile, onPassphrase }: ChangesProps) {
  const { id } = profile;
  const { route } = useLocation();
  const launch = async () => {
    const session = await service.launch(id);
    route(addressOf(`/sessions/${session.id}`));
  };
  const clone = async () => {
    const copy = await service.clone(id);
    route(addressOf(`/profiles/${copy.id}`));
  };
  const trash = async () => {
    await service.trashOne(id);
    route(addressOf('/profiles'));
  };
  return (
    <>
      <Act label={words.launch} kind="main" act={launch} />
      <Act label={words.clone} act={clone} />
      {Object.entries(simple).map(([name, Content]) => (
        <Opens key={name} label={words[name as keyof typeof simple]}>
          {(close) => <Content of={profile} onDone={close} />}
        </Opens>
      ))}
      <Opens label={words.export}>
        {(close) => <Export of={profile} onDone={close} onPassphrase={onPassphrase} />}
      </Opens>
      <Act
        label={words.putInTrash}
        kind="danger"
        question={{ title: words.trashTitle, text: words.trashText, confirm: words.putInTrash }}
        act={trash}
      />
    </>
  );
}

const What = ({ of: profile }: { readonly of: Profile }) => (
  <Facts
    of={[
      [words.profile, <Id id={profile.id} isHere />],
      [words.description, profile.description],
      [words.archetype, profile.archetype],
      [words.state, <ProfileState save_state={profile.save_state} />],
      [words.error, profile.save_error && words.errors[profile.save_error]],
      [words.size, bytesText(profile.storage_bytes)],
      [words.clonedFrom, profile.cloned_from && <Id id={profile.cloned_from} />],
      [words.restoredFrom, profile.restored_from_snapshot && <Id id={profile.restored_from_snapshot} />],
      [words.lastUsed, profile.last_used_at === null ? words.never : <Time at={profile.last_used_at} />],
      [words.created, <Time at={profile.created_at} />],
    ]}
  />
);
