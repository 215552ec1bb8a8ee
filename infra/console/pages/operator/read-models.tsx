import type { OperatorReadModel, Rebuilt } from '../../../../contracts/operator.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Status, Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { service } from './service.ts';
import { words } from './strings.ts';

const columns: readonly Column<OperatorReadModel>[] = [
  { name: words.readModel, cell: ({ projection }) => projection },
  {
    name: words.state,
    cell: (model) => (
      <>
        <State of={model} />
        {model.rebuilt && <Outcome of={model.rebuilt} />}
      </>
    ),
  },
  { name: words.rows, cell: ({ rows }) => rows },
  { name: words.parkedCount, cell: ({ parked }) => parked, isMinor: true },
  {
    name: words.do,
    cell: ({ projection, building }) => (
      <Act
        label={words.rebuild}
        isDisabled={building !== null}
        act={async () => void (await service.rebuild(projection))}
      />
    ),
  },
];

function State({ of: model }: { readonly of: OperatorReadModel }) {
  const { projection: name, building, behind, version, wanted_version } = model;
  if (building !== null)
    return (
      <>
        <progress max={1} value={building.fraction} aria-label={filled(words.progressOf, { name })} />{' '}
        {filled(words.building, { percent: Math.floor(building.fraction * 100) })}
      </>
    );
  if (version !== wanted_version) return <Status tone="bad" word={words.outdated} />;
  return behind ? <Status tone="busy" word={words.behind} /> : <Status tone="good" word={words.current} />;
}

function Outcome({ of: rebuilt }: { readonly of: Rebuilt }) {
  return (
    <p>
      {'error' in rebuilt ? (
        <Status tone="bad" word={rebuilt.error} />
      ) : (
        <Status
          tone={rebuilt.matches ? 'good' : 'wait'}
          word={filled(rebuilt.matches ? words.same : words.differed, { rows: rebuilt.rows })}
        />
      )}{' '}
      <Time at={rebuilt.at} />
    </p>
  );
}

/** Checkpoints of the read models. Reads are served during a rebuild. */
export const ReadModels = () => (
  <Page title={words.readModels}>
    <Read what="read-models" read={() => service.readModels()} everyMs={1_000}>
      {({ lag_seconds: lag, read_models: models }) => (
        <>
          <p>{lag === 0 ? words.upToDate : filled(words.lag, { seconds: Math.ceil(lag) })}</p>
          <Table
            name={words.readModels}
            items={models}
            keyOf={({ projection }) => projection}
            columns={columns}
          />
        </>
      )}
    </Read>
  </Page>
);
