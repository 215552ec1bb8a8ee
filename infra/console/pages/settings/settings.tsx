import { Page } from '../../parts/card.tsx';
import { addressOf } from '../../parts/places.ts';
import { words } from './strings.ts';

/** Name, address and purpose. */
const entries = [
  [words.organization, '/settings/organization', words.settingsText.organization],
  [words.model, '/settings/model', words.settingsText.model],
  [words.proxies, '/settings/proxies', words.settingsText.proxies],
  [words.mails, '/settings/mails', words.settingsText.mails],
  [words.secondFactor, '/settings/second-factor', words.settingsText.secondFactor],
  [words.signIns, '/audit?action=auth.signed_in', words.settingsText.signIns],
  [words.deprecations, '/settings/deprecations', words.settingsText.deprecations],
] as const;

export const Settings = () => (
  <Page title={words.settings}>
    <ul class="things">
      {entries.map(([name, path, purpose]) => (
        <li key={path}>
          <a href={addressOf(path)}>{name}</a>
          <br />
          {purpose}
        </li>
      ))}
    </ul>
  </Page>
);
