import { useRoute } from 'preact-iso';
import { incidents } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id } from '../../parts/record.tsx';
import { open } from '../../service.ts';
import { IncidentFacts } from './incident.tsx';
import { words } from './strings.ts';

const service = incidents(open);

/** One incident, current or past, with its updates; public. */
export function IncidentPage() {
  const { id = '' } = useRoute().params;
  return (
    <Read what={id} read={() => service.get(id)} everyMs={60_000}>
      {(incident) => (
        <Page title={incident.title}>
          <IncidentFacts of={incident} />
          <Facts
            of={[
              [words.incident, <Id id={id} isHere />],
              [words.components, incident.components.join(', ')],
            ]}
          />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}
