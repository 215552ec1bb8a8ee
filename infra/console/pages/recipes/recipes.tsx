import { recipes, type Recipe } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { List } from '../../parts/list.tsx';
import { placeOf } from '../../parts/places.ts';
import { Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const columns: readonly Column<Recipe>[] = [
  { name: words.name, cell: ({ name }) => name },
  { name: words.steps, cell: ({ steps }) => steps.length },
  { name: words.parameters, cell: ({ parameters }) => parameters.map(({ name }) => name).join(', ') },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

export const Recipes = () => (
  <Page title={words.recipes}>
    <List
      name={words.recipes}
      read={(asked) => recipes(connection).list(asked)}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ id }) => placeOf(id)}
      empty={words.none}
    />
  </Page>
);
