import { useLocation, useRoute } from 'preact-iso';
import { profileSnapshots, type ProfileSnapshot } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { SnapshotActs } from './snapshots.tsx';
import { words } from './strings.ts';

const service = profileSnapshots(connection);

/** One snapshot: its profile and its history. */
export function SnapshotPage() {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const leave = ({ parent_profile_id: parent }: ProfileSnapshot) =>
    route((parent === null ? undefined : placeOf(parent)) ?? addressOf('/profiles'));
  return (
    <Read what={id} read={() => service.get(id)}>
      {(snapshot) => (
        <Page
          title={snapshot.label}
          actions={<SnapshotActs of={snapshot} onDeleted={() => leave(snapshot)} />}
        >
          <What of={snapshot} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const What = ({ of: snapshot }: { readonly of: ProfileSnapshot }) => (
  <Facts
    of={[
      [words.oneSnapshot, <Id id={snapshot.id} isHere />],
      [words.description, snapshot.description],
      [words.takenOf, snapshot.parent_name],
      [words.profile, snapshot.parent_profile_id && <Id id={snapshot.parent_profile_id} />],
      [words.archetype, snapshot.parent_archetype],
      [words.captured, <Time at={snapshot.captured_at} />],
    ]}
  />
);
