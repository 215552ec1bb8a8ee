import type { AuditHeadEvent } from '../contracts/events/audit-head.ts';
import { toId } from '../contracts/ids.ts';
import { auditHead, type AuditHeadCommand } from './audit-head.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const root = (letter: string) => `${letter.repeat(43)}=`;
const signed = {
  accountId: toId('account', '0197f1a0-0000-7000-8000-000000000002'),
  ...{ log: '', size: 3, root: root('A'), note: 'a note', at: '2026-12-01T10:00:00.000Z' },
};
const { AuditHeadSigned } = eventBuilders<AuditHeadEvent>({ AuditHeadSigned: signed });
const { RecordSignedHead } = commandBuilders<AuditHeadCommand>({ RecordSignedHead: signed });
const { given } = deciderSpec(auditHead);

describe('signed heads of an audit log', () => {
  it('are recorded once, even if the signer is killed before it gets the answer', () => {
    given().when(RecordSignedHead()).then(AuditHeadSigned());
    given(AuditHeadSigned()).when(RecordSignedHead()).nothing();
    const rotated = { note: 'a note by the next key', at: '2026-11-30T10:00:00.000Z' };
    given(AuditHeadSigned()).when(RecordSignedHead(rotated)).nothing();
  });

  it('only grow, whatever the clock shows: a late one is not recorded', () => {
    const larger = { size: 4, root: root('B'), at: '2026-11-30T10:00:00.000Z' };
    given(AuditHeadSigned()).when(RecordSignedHead(larger)).then(AuditHeadSigned(larger));
    given(AuditHeadSigned(), AuditHeadSigned(larger)).when(RecordSignedHead()).nothing();
  });

  it('do not contradict one another', () => {
    given(AuditHeadSigned())
      .when(RecordSignedHead({ root: root('B') }))
      .refused('conflict');
  });

  it('start over in a new log', () => {
    const anew = { log: 'f00d', size: 2, root: root('B') };
    given(AuditHeadSigned()).when(RecordSignedHead(anew)).then(AuditHeadSigned(anew));
  });
});
