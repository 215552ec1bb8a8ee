import { useSignal } from '@preact/signals';
import { agentSessionLinks } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { Once } from '../../parts/once.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Time, shortId } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = agentSessionLinks(connection);

type Links = Awaited<ReturnType<typeof service.list>>['data'];
type Link = Links[number];

/** Links that open the live view for people without an account. */
export function LinksToHandOn({ id }: { readonly id: string }) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{words.links}</summary>
      {isOpen.value && (
        <>
          <p class="hint">{words.linksHint}</p>
          <Make id={id} />
          <Read what={id} read={() => service.list(id)}>
            {({ data }) => (data.length === 0 ? <p>{words.noLinks}</p> : <Made links={data} />)}
          </Read>
        </>
      )}
    </details>
  );
}

const keyOf = ({ id }: Link): string => id;

const columns: readonly Column<Link>[] = [
  { name: words.links, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { name: words.right, cell: ({ right }) => words.rights[right] },
  { name: words.expires, cell: ({ expires_at }) => <Time at={expires_at} /> },
  { name: words.uses, cell: ({ uses }) => uses, isMinor: true },
  {
    name: words.revoke,
    cell: ({ id, agent_session_id: of }) => <Act label={words.revoke} act={() => service.revoke(of, id)} />,
  },
];

const Made = ({ links }: { readonly links: Links }) => (
  <Table name={words.links} items={links} keyOf={keyOf} columns={columns} />
);

function Make({ id }: { readonly id: string }) {
  const [right, minutes] = [useSignal<string>('watch'), useSignal('10')];
  const made = useSignal<string | undefined>(undefined);
  const make = async () => {
    const body = { right: right.value as Link['right'], ttl_seconds: Number(minutes.value) * 60 };
    const { token } = await service.create(id, body);
    made.value = `${location.origin}${addressOf('/live')}#token=${encodeURIComponent(token)}`;
  };
  if (made.value !== undefined)
    return (
      <Once
        {...{ title: words.madeLink, text: made.value, file: 'link.txt' }}
        onKept={() => (made.value = undefined)}
      />
    );
  return (
    <Form submit={words.makeLink} onSubmit={make}>
      <Choice label={words.right} value={right} options={words.rights} />
      <Field label={words.minutes} value={minutes} type="number" />
    </Form>
  );
}
