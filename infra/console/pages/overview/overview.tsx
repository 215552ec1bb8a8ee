import { Page } from '../../parts/card.tsx';
import { InOrder } from '../../parts/in-order.tsx';
import { me } from '../../parts/signed-in.tsx';
import { owner } from '../../service.ts';
import { filled } from '../../strings.ts';
import { Failed } from './failed.tsx';
import { Incidents } from './incidents.tsx';
import { Limits } from './limits.tsx';
import { Running } from './running.tsx';
import { words } from './strings.ts';

/** Running and failed sessions, usage, and incidents. */
export const Overview = () => (
  <Page title={words.overview}>
    <p>{filled(words.overviewOf, { email: me.value?.email ?? '', tier: me.value?.tier ?? '' })}</p>
    {owner !== undefined && <p>{words.onAccountOf}</p>}
    <div class="panels">
      <InOrder parts={[<Incidents />, <Running />, <Failed />, <Limits />]} />
    </div>
  </Page>
);
