import type { OperatorMail } from '../../../../contracts/operator.ts';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Id, Status, Time, type Tone } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { service } from './service.ts';
import { words } from './strings.ts';

const tones: Readonly<Record<OperatorMail['status'], Tone>> = {
  queued: 'wait',
  sent: 'good',
  abandoned: 'bad',
};

const columns: readonly Column<OperatorMail>[] = [
  { name: words.mail, cell: ({ id }) => <Id id={id} /> },
  { name: words.account, cell: ({ account_id }) => account_id && <Id id={account_id} />, isMinor: true },
  { name: words.about, cell: ({ template }) => template },
  { name: words.status, cell: ({ status }) => <Status tone={tones[status]} word={words.statuses[status]} /> },
  { name: words.tries, cell: ({ attempt_count }) => attempt_count, isMinor: true },
  { name: words.next, cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />, isMinor: true },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The newest mails; queued ones are in the outbox. Addresses are not shown. */
export const Mails = () => (
  <Page title={words.mails}>
    <p class="hint">{words.newestMails}</p>
    <Read what="mails" read={() => service.mails()}>
      {({ data }) =>
        data.length === 0 ? (
          <p>{words.noMail}</p>
        ) : (
          <Table name={words.mails} items={data} keyOf={({ id }) => id} columns={columns} />
        )
      }
    </Read>
  </Page>
);
