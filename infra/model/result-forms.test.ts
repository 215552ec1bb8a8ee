import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { SchemaRefused } from './result-form.ts';
import { ResultForms } from './result-forms.ts';

const account = () => toId('account', uuidv7());
const formNamed = (title: string) => ({ type: 'object', title, required: ['total'] });
const broken = (title: string) => ({ ...formNamed(title), $ref: '#/$defs/none' });

/** Forms of a process in which each piece of work takes half a second. */
function slowForms() {
  let now = 0;
  const forms = new ResultForms(() => (now += 500));
  const outcomeOf = (accountId: ReturnType<typeof account>, schema: object) => {
    try {
      forms.read(accountId, schema as Readonly<Record<string, unknown>>);
      return 'read';
    } catch (error) {
      if (error instanceof Refusal) return error;
      return error instanceof SchemaRefused ? 'refused' : expect.fail(String(error));
    }
  };
  return { outcomeOf, advance: (ms: number) => void (now += ms) };
}

describe('the forms of results in a process', () => {
  it('are read once for all who send the same schema', () => {
    const forms = new ResultForms();
    const [one, other] = [account(), account()].map((each) => forms.read(each, formNamed('bill')));
    expect(one?.schema).to.equal(other?.schema);
    expect(forms.read(account(), formNamed('another')).schema).not.to.equal(one?.schema);
    expect(other?.faultOf({ total: 1 })).to.equal(null);
    expect(other?.faultOf({})).to.match(/total/);
  });

  for (const [what, schemaNamed, outcome] of [
    ['forms', formNamed, 'read'],
    ['schemas that are refused', broken, 'refused'],
  ] as const)
    it(`take two seconds of one account's ${what}, and then only those that were read before`, () => {
      const { outcomeOf, advance } = slowForms();
      const [hostile, neighbour] = [account(), account()];
      const outcomes = Array.from({ length: 20 }, (_, n) => outcomeOf(hostile, schemaNamed(`no. ${n}`)));
      expect(outcomes.filter((each) => each === outcome)).to.have.length(5);
      const last = outcomes.at(-1);
      if (!(last instanceof Refusal)) throw new Error('The account has used all of its time.');
      expect(last.slug).to.equal('rate-limited');
      expect(outcomeOf(neighbour, schemaNamed('no. 1'))).to.equal(outcome);
      if (outcome === 'read') expect(outcomeOf(hostile, formNamed('no. 0'))).to.equal('read');
      advance(Number(last.extensions.retry_after_seconds) * 1000);
      expect(outcomeOf(hostile, schemaNamed('a later one'))).to.equal(outcome);
    });

  it('count what the checks of results take', () => {
    let now = 0;
    const forms = new ResultForms(() => now);
    const hostile = account();
    const { faultOf } = forms.read(hostile, { type: 'object' });
    const slow = {
      toJSON() {
        now += 3000;
        return {};
      },
    };
    expect(faultOf(slow)).to.equal(null);
    expect(() => forms.read(hostile, formNamed('bill'))).to.throw(Refusal);
  });
});
