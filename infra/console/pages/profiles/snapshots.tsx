import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { profileSnapshots, type ProfileSnapshot } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = profileSnapshots(connection);

const columns: readonly Column<ProfileSnapshot>[] = [
  { name: words.label, cell: ({ label }) => label },
  { name: words.captured, cell: ({ captured_at }) => <Time at={captured_at} /> },
  { name: words.archetype, cell: ({ parent_archetype }) => parent_archetype, isMinor: true },
  {
    name: words.do,
    cell: (snapshot) => (
      <div class="buttons">
        <SnapshotActs of={snapshot} />
      </div>
    ),
  },
];

type Named = Pick<ProfileSnapshot, 'id' | 'label'>;

/** Actions of a snapshot; `onDeleted` is given on the snapshot's own page. */
export const SnapshotActs = ({
  of: { id, label },
  onDeleted,
}: {
  readonly of: Named;
  readonly onDeleted?: () => void;
}) => (
  <>
    <Opens label={words.restore} title={words.restoreOf}>
      {() => <Restore id={id} label={label} />}
    </Opens>
    <Act
      label={words.delete}
      question={{ title: words.deleteSnapshotTitle, text: words.deleteSnapshotText, confirm: words.delete }}
      act={async () => {
        await service.delete(id);
        onDeleted?.();
      }}
    />
  </>
);

function Restore({ id, label }: Named) {
  const { route } = useLocation();
  const name = useSignal(label);
  const restore = async () => {
    const made = await service.restore(id, { name: name.value });
    route(addressOf(`/profiles/${made.id}`));
  };
  return (
    <Form submit={words.restore} onSubmit={restore}>
      <Field label={words.name} value={name} />
    </Form>
  );
}

export const Snapshots = ({ of }: { readonly of: string }) => (
  <section>
    <h2>{words.snapshots}</h2>
    <List
      name={words.snapshots}
      read={(asked) => service.listOfProfile(of, asked)}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ id }) => placeOf(id)}
      empty={words.noSnapshot}
    />
  </section>
);
