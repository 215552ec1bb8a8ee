import { words } from '../strings.ts';
import { Card } from './card.tsx';
import { addressOf } from './places.ts';

export const NotFound = () => (
  <Card title={words.notFound}>
    <p class="links">
      <a href={addressOf('/')}>{words.home}</a>
    </p>
  </Card>
);

/** A chunk could not be loaded: those of an older release are not kept. */
export const NotLoaded = () => (
  <Card title={words.noAnswerTitle}>
    <p>{words.oldConsole}</p>
    <button type="button" onClick={() => location.reload()}>
      {words.reload}
    </button>
  </Card>
);
