import { Page } from '../../parts/card.tsx';
import { me } from '../../parts/signed-in.tsx';
import { owner } from '../../service.ts';
import { filled } from '../../strings.ts';
import { Failed } from './failed.tsx';
import { Incidents } from './incidents.tsx';
import { Limits } from './limits.tsx';
import { Running } from './running.tsx';
import { words } from './strings.ts';

/** What runs, what failed, how much is used, and what the service has to say. */
export const Overview = () => (
  <Page title={words.overview}>
    <p>{filled(words.overviewOf, { email: me.value?.email ?? '', tier: me.value?.tier ?? '' })}</p>
    {owner !== undefined && <p>{words.onAccountOf}</p>}
    <Incidents />
    <div class="panels">
      <Running />
      <Failed />
      <Limits />
    </div>
  </Page>
);
