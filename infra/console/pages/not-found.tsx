import { Card } from '../parts/form.tsx';
import { words } from '../strings.ts';

export const NotFound = () => (
  <Card title={words.notFound}>
    <p class="links">
      <a href="/console/">{words.home}</a>
    </p>
  </Card>
);
