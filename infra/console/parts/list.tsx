import type { ComponentChildren } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import type { List as Pages } from '../../../contracts/client/index.ts';
import { filled, words } from '../strings.ts';
import { Filters, useSetValues, useValues, type Filter, type Values } from './filters.tsx';
import { useKeptRows } from './kept-rows.ts';
import { useNews, type News } from './live.ts';
import { Loading } from './loading.tsx';
import { timeText } from './record.tsx';
import { Rows, type Asked } from './rows.ts';
import { Table, type Column } from './table.tsx';
import { Trouble } from './trouble.tsx';

interface ListProps<Item> {
  /** The name of the table. */
  readonly name: string;
  /** Reads a page, with the service's own filters. */
  readonly read: (asked: Asked, values: Values) => Pages<Item>;
  readonly keyOf: (item: Item) => string;
  /** The first column is the row's link, if it has one. Must be created once, outside of components. */
  readonly columns: readonly Column<Item>[];
  /** Address of a row's page. */
  readonly hrefOf?: (item: Item) => string | undefined;
  readonly filters?: readonly Filter<Item>[];
  /** Shown if the unfiltered list is empty. */
  readonly empty: ComponentChildren;
  /** Event types that refresh it, besides every fifteen seconds and after each change made in the console. */
  readonly changedBy?: readonly string[];
}

/**
 * A list of the service as a table: filters in the address, further pages on demand; new rows are announced and not inserted
 * under the pointer.
 */
export function List<Item>({
  name,
  read,
  keyOf,
  columns,
  hrefOf,
  filters = [],
  empty,
  changedBy = [],
}: ListProps<Item>) {
  const values = useValues(filters);
  const asked = Object.fromEntries(
    filters.flatMap(({ name: of, fits: own }) => (own || values[of] === undefined ? [] : [[of, values[of]]])),
  );
  const rows = useKeptRows(
    `${name} ${JSON.stringify(asked)}`,
    () => new Rows<Item>({ keyOf, read: (page) => read(page, asked) }),
  );
  const fits = (item: Item) =>
    filters.every(({ name: of, fits: own }) => !own || values[of] === undefined || own(item, values[of]));
  useEffect(() => {
    if (!rows.items.value.some(fits)) void rows.more(fits);
  }, [rows, JSON.stringify(values)]);
  useLooks(rows, changedBy);
  const shown = rows.items.value.filter(fits);
  return (
    <>
      {filters.length > 0 && <Filters filters={filters} values={values} />}
      <Fresh rows={rows} fits={fits} />
      {shown.length > 0 && (
        <Table name={name} items={shown} keyOf={keyOf} columns={columns} hrefOf={hrefOf} />
      )}
      {rows.failure.value ? (
        <Trouble error={rows.failure.value.error} again={() => void rows.more(fits)} />
      ) : (
        <End rows={rows} fits={fits} isEmpty={shown.length === 0} empty={empty} isFiltered={hasAny(values)} />
      )}
    </>
  );
}

const hasAny = (values: Values): boolean => Object.keys(values).length > 0;

const LOOK_MS = 15_000;

/** Refreshes the list when it may have changed, while the tab is visible. */
function useLooks<Item>(rows: Rows<Item>, changedBy: readonly string[]): void {
  const look = useCallback(() => {
    if (!document.hidden) void rows.look();
  }, [rows]);
  const hear = useCallback(
    (news: News) => {
      if (news.kind === 'changed' && news.isHere) void showOwn(rows);
      else if (news.kind === 'changed' || changedBy.includes(news.event.type)) look();
    },
    [look],
  );
  useNews(hear);
  useEffect(() => {
    look();
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [look]);
}

/** Refreshes after a change made here, in milliseconds: its effects follow the answer with a delay. */
const OWN_MS = [0, 1_500, 4_000] as const;

/** The user's own changes are shown directly instead of announced. */
async function showOwn<Item>(rows: Rows<Item>): Promise<void> {
  for (const ms of OWN_MS) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await rows.look();
    await rows.showFresh();
  }
}

interface Part<Item> {
  readonly rows: Rows<Item>;
  readonly fits: (item: Item) => boolean;
}

/** The number of new rows, and since when the list is stale. */
function Fresh<Item>({ rows, fits }: Part<Item>) {
  const count = rows.fresh.value.filter(fits).length;
  const since = rows.staleSince.value;
  return (
    <div class="fresh" role="status">
      {count > 0 && (
        <button type="button" class="quiet" onClick={() => void rows.showFresh()}>
          {filled(words.fresh, { count })}
        </button>
      )}
      {since !== undefined && <p class="hint">{filled(words.stale, { time: timeText(since) })}</p>}
    </div>
  );
}

type EndProps<Item> = Part<Item> & {
  readonly isEmpty: boolean;
  readonly isFiltered: boolean;
  readonly empty: ComponentChildren;
};

/** Below the table: a note if it is empty, or the button for further pages. */
function End<Item>({ rows, fits, isEmpty, isFiltered, empty }: EndProps<Item>) {
  const set = useSetValues();
  if (rows.next.value === undefined) return <Loading />;
  const isMissing = isEmpty && !rows.isBusy.value;
  return (
    <div class="end">
      {isMissing && !isFiltered && rows.fresh.value.length === 0 && <div class="empty">{empty}</div>}
      {isMissing && isFiltered && (
        <p>
          {`${words.noneFits} ${filled(words.lookedThrough, { count: rows.items.value.length })} `}
          <button type="button" class="quiet" onClick={() => set({})}>
            {words.clearFilter}
          </button>
        </p>
      )}
      {rows.next.value !== null && (
        <button
          type="button"
          class="quiet"
          aria-busy={rows.isBusy.value}
          onClick={() => void rows.more(fits)}
        >
          {words.loadMore}
        </button>
      )}
    </div>
  );
}
