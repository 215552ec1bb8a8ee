import { expect } from 'chai';
import { isQueried } from '../evidence/queried-effects.ts';
import type { Evidence } from '../evidence/index.ts';
import type { Answer, Exchange } from '../history.ts';
import type { Invariant } from './invariant.ts';
import { acknowledgedIsStored } from './n1-acknowledged.ts';
import { outcomesAreTrue } from './n26-outcomes.ts';
import { account, created, done, event, lives, soundEvidence } from './testing/index.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');
const said = (answer: Answer, changes: Partial<Exchange> = {}): Exchange => ({
  ...done('call', 'operate'),
  ...changes,
  answer,
});
const unknown = { kind: 'unknown', why: 'the connection broke' } as const;
const unsent = { ...unknown, isUnchanged: true } as const;
const alive = lives();
const settled = { ...event('OperationSettled', { requestId: 'call' }), revision: 2 };
const log = [...alive, settled];

describe('the invariants of the typed client’s results', () => {
  it('see an effect of a call that was not sent, and of one whose answer says that it had none', () => {
    const history = [created(), said(unsent)];
    expect(found(outcomesAreTrue, { history })).to.equal('');
    expect(found(outcomesAreTrue, { history, log })).to.equal(
      'a operate that was not sent left OperationSettled',
    );
    const away = [created(), said({ ...unsent, status: 503 })];
    expect(found(outcomesAreTrue, { history: away, log })).to.equal('');
    expect(found(acknowledgedIsStored, { history: away, log })).to.equal(
      'a refused operate (503) left OperationSettled',
    );
    expect(found(acknowledgedIsStored, { history: [created(), said(unknown)], log })).to.equal('');
  });

  it('see an operation that was sent twice', () => {
    const history = (tries: number) => [created(), said({ ...unknown, tries })];
    expect(found(outcomesAreTrue, { history: history(1) })).to.equal('');
    expect(found(outcomesAreTrue, { history: history(2) })).to.equal('an operation was sent 2 times');
  });

  it('see an incomplete or missing answer about the effects of a call of unknown outcome', () => {
    const reply = (status: number, events: readonly { id: string }[] = []) => ({
      ...{ log, history: [created(), said(unknown)] },
      queriedEffects: [
        {
          call: said(unknown),
          reply: done('told', 'find-out', {
            status,
            text: JSON.stringify({ events: events.map(({ id }) => ({ id })) }),
          }),
        },
      ],
    });
    const untold = 'who asked what a operate led to was not told OperationSettled';
    expect(found(outcomesAreTrue, reply(200, [settled]))).to.equal('');
    expect(found(outcomesAreTrue, reply(200))).to.equal(untold);
    expect(found(outcomesAreTrue, reply(404))).to.equal(untold);
    expect(found(outcomesAreTrue, { ...reply(404), log: lives() })).to.equal('');
    expect(found(outcomesAreTrue, { ...reply(403), log: lives() })).to.contain('was not told');
  });

  it('apply to calls of unknown outcome without a key that the program made on its own account', () => {
    expect(isQueried(said(unknown))).to.equal(true);
    for (const other of [unsent, { ...unknown, openKey: 'k' }, created().answer])
      expect(isQueried(said(other))).to.equal(false);
    for (const changes of [
      { on: account },
      { session: 'opened' },
      { target: 'POST /v1/auth/signup' },
    ] as const)
      expect(isQueried(said(unknown, changes))).to.equal(false);
  });

  it('see an effect of a key whose calls were all refused, including a key that the client generated', () => {
    const lost = { ...created(), answer: { ...unknown, openKey: 'k' } };
    const again = (status: number) =>
      done('again', 'create', { key: 'k', status, text: created().answer.text ?? '' });
    expect(found(acknowledgedIsStored, { history: [lost, again(201)] })).not.to.contain(
      'one idempotency key',
    );
    expect(found(acknowledgedIsStored, { history: [lost, again(409)] })).to.equal(
      'one idempotency key was refused and left SessionReady',
    );
  });

  it('accept one change by a PUT for each time that it was sent, as another request may come in between', () => {
    const changed = (changes = {}) =>
      event('OrganizationDescribed', { stream: 'organization-one', ...changes });
    const own = { requestId: 'call' };
    const three = [changed(own), { ...changed(), revision: 1 }, { ...changed(own), revision: 2 }];
    const put = (tries: number) =>
      done('call', 'act-on-owner', {
        target: 'PUT /v1/account/me/organization',
        answer: { kind: 'done', status: 200, headers: {}, text: '', tries },
      });
    const judged = (tries: number) =>
      found(acknowledgedIsStored, { log: [...alive, ...three], history: [created(), put(tries)] });
    expect(judged(2)).to.equal('');
    expect(judged(1)).to.contain('one act-on-owner left 2 OrganizationDescribed');
  });
});
