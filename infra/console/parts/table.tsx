import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { words } from '../strings.ts';
import { useKeys, type Key } from './keys.ts';

export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ComponentChildren;
  /** Hidden in a narrow window. */
  readonly isMinor?: true;
}

interface TableProps<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
  readonly hrefOf?: ((item: Item) => string | undefined) | undefined;
}

/** A table of linked rows; `j` and `k` move through them. */
export function Table<Item>({ name, items, keyOf, columns, hrefOf }: TableProps<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, hrefOf !== undefined);
  // A row with the same item is not rendered again.
  const drawn = useMemo(() => new WeakMap<object, VNode>(), [columns]);
  const rowOf = (item: Item): VNode => {
    const known = drawn.get(item as object);
    if (known !== undefined) return known;
    const row = <Row key={keyOf(item)} item={item} columns={columns} href={hrefOf?.(item)} />;
    drawn.set(item as object, row);
    return row;
  };
  return (
    <div class="table">
      <table aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.isMinor && 'minor'}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{items.map(rowOf)}</tbody>
      </table>
    </div>
  );
}

interface RowProps<Item> {
  readonly item: Item;
  readonly columns: readonly Column<Item>[];
  readonly href: string | undefined;
}

const Row = <Item,>({ item, columns, href }: RowProps<Item>) => (
  <tr class={href === undefined ? undefined : 'leads'}>
    {columns.map(({ name, cell, isMinor }, index) => (
      <td key={name} class={isMinor && 'minor'}>
        {index === 0 && href !== undefined ? (
          <a class="row" href={href}>
            {cell(item)}
          </a>
        ) : (
          cell(item)
        )}
      </td>
    ))}
  </tr>
);

/** A table without links registers no keys, because they would override those of another table. */
function useRowKeys(body: { readonly current: HTMLElement | null }, hasLinks: boolean): void {
  const move = (by: 1 | -1) => () => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('a.row') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  const open = () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.click();
  };
  const keys = useMemo(
    () => [
      { key: 'j', says: words.keyNext, run: move(1) },
      { key: 'k', says: words.keyPrevious, run: move(-1) },
      { key: 'Enter', says: words.keyOpen, run: open },
    ],
    [],
  );
  useKeys(hasLinks ? keys : noKeys);
}

const noKeys: readonly Key[] = [];
