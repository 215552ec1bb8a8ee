import { emailPreferences, type EmailPreference } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = emailPreferences(connection);

const columns: readonly Column<EmailPreference>[] = [
  { name: words.mail, cell: ({ event_type: type }) => words.mailNames[type] },
  { name: words.wanted, cell: ({ opted_in: isWanted }) => words.wantedStates[isWanted ? 'yes' : 'no'] },
  {
    name: words.do,
    cell: ({ event_type, opted_in: isWanted }) => (
      <Act
        label={isWanted ? words.optOut : words.optIn}
        act={async () => void (await service.put({ event_type, opted_in: !isWanted }))}
      />
    ),
  },
];

/** Subscriptions to optional mails. */
export const Mails = () => (
  <Page title={words.mails}>
    <Read what="mails" read={() => service.get()}>
      {({ preferences }) => (
        <Table
          name={words.mails}
          items={preferences}
          keyOf={({ event_type }) => event_type}
          columns={columns}
        />
      )}
    </Read>
  </Page>
);
