import type { StatusIncident } from '../../../../contracts/client/index.ts';
import { Status, Time } from '../../parts/record.tsx';
import { words } from './strings.ts';

/** Start, impact and updates of an incident, newest first. */
export const IncidentFacts = ({
  of: { impact, created_at, resolved_at, updates },
}: {
  readonly of: StatusIncident;
}) => (
  <>
    <p>
      <Status tone={resolved_at === null ? 'bad' : 'over'} word={words.impacts[impact]} /> {`${words.since} `}
      <Time at={created_at} />
      {resolved_at !== null && (
        <>
          {` · ${words.resolved} `}
          <Time at={resolved_at} />
        </>
      )}
    </p>
    <ul>
      {updates.map(({ status: step, message, created_at: at }) => (
        <li key={`${at} ${step}`}>
          <Time at={at} /> {`${words.updates[step]}: ${message}`}
        </li>
      ))}
    </ul>
  </>
);
