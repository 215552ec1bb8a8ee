import { expect } from 'chai';
import { Connection } from '../../../contracts/client/index.ts';
import { operationsOf } from '../../console/pages/sessions/operations.ts';

const sessionId = 'ses_0197f1a0-0000-4000-8000-000000000001';
/** All steps of a turn have one request. */
const alike = { action: 'session.interacted', request_id: 'req_turn0001' };
const outcomeOf = (step: number): string => (step % 3 === 0 ? 'failed' : 'succeeded');
const historyOf = (step: number) => ({
  ...{ ...alike, position: `${step}/${step}`, at: new Date(step * 1_000).toISOString() },
  ...{ audit_entry_id: `aud_${step}`, actor: { kind: 'api_key', account_id: null }, changes: [] },
});
const auditedOf = (step: number) => ({
  ...{ ...alike, id: `aud_${step}`, target: { type: 'session', id: sessionId } },
  payload: { outcome: outcomeOf(step), failure_category: null, duration_ms: step },
});
/** Steps from the newest to the oldest. */
const steps = (newest: number, oldest: number): readonly number[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);

interface Answers {
  readonly history: readonly number[];
  readonly audited: readonly number[];
  /** Whether the history has older entries. */
  readonly isCut?: boolean;
}

/** What the service answers about these steps. */
const answering = ({ history, audited, isCut = false }: Answers) =>
  new Connection({
    baseUrl: 'https://service.example',
    fetch: async (url) =>
      Response.json(
        new URL(url).pathname.endsWith('/history')
          ? { data: history.map(historyOf), has_more: isCut, next_cursor: isCut ? 'older' : '' }
          : { data: audited.map(auditedOf), has_more: false, next_cursor: '' },
      ),
  });

const shownOf = async (answers: Answers) =>
  (await operationsOf(answering(answers), sessionId)).map(({ position, outcome, durationMs }) => [
    position,
    outcome,
    durationMs,
  ]);
const own = (step: number) => [`${step}/${step}`, outcomeOf(step), step];

describe('the operations that the console shows of a session', () => {
  it('have each their own outcome where the history is cut and the audit log has a newer step', async () => {
    const history = steps(60, 11);
    expect(await shownOf({ history, audited: steps(61, 2), isCut: true })).to.deep.equal(history.map(own));
  });

  it('have each their own outcome where the oldest steps are missing in the audit log', async () => {
    const found = await shownOf({ history: steps(9, 1), audited: steps(9, 4) });
    expect(found.slice(0, 6)).to.deep.equal(steps(9, 4).map(own));
    expect(found.slice(6).map(([, outcome]) => outcome)).to.deep.equal(['unknown', 'unknown', 'unknown']);
  });

  it('have each their own outcome where a step is missing in the middle of the audit log', async () => {
    const found = await shownOf({ history: steps(3, 1), audited: [3, 1] });
    expect(found).to.deep.equal([own(3), ['2/2', 'unknown', undefined], own(1)]);
  });
});
