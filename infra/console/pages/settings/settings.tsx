import { Page } from '../../parts/card.tsx';
import { addressOf } from '../../parts/places.ts';
import { words } from './strings.ts';

const entries = [
  ['organization', words.organization],
  ['model', words.model],
  ['proxies', words.proxies],
  ['mails', words.mails],
  ['second-factor', words.secondFactor],
  ['deprecations', words.deprecations],
] as const;

export const Settings = () => (
  <Page title={words.settings}>
    <ul class="things">
      {entries.map(([path, name]) => (
        <li key={path}>
          <a href={addressOf(`/settings/${path}`)}>{name}</a>
          <br />
          {words.settingsText[path]}
        </li>
      ))}
    </ul>
  </Page>
);
