import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { until } from '../testbed/index.ts';
import { startGarden, type PlantedStack } from './garden.ts';
import { closedFields, kept } from './what-is-kept.ts';

/** Never in clear, not even while the account is there. */
const secret = /password|passphrase|otp$|api_key$|data_?(base64|B64)$|credentials|byok|Cookie|Authorization/;

describe('what a customer wrote', function () {
  this.timeout(300_000);
  let garden: PlantedStack;
  let whileThere: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    garden = await startGarden();
    whileThere = await garden.found();
    await garden.erase();
  });
  after(() => garden.close());

  it('has been in every text field of every body of every route that takes any', () => {
    const refused = [...garden.answers].flatMap(([field, { status }]) =>
      [400, 401, 403, 404, 409].includes(status) ? [field] : [],
    );
    const isClosed = (field: string) => closedFields.some(([fields]) => fields.test(field));
    expect(refused.filter((field) => !isClosed(field))).to.deep.equal([]);
    for (const [fields, why] of closedFields)
      expect(
        refused.some((field) => fields.test(field)),
        why,
      ).to.equal(true);
  });

  it('is nowhere in clear where it is secret, while its account is there', () => {
    expect([...whileThere].filter(([field]) => secret.test(field))).to.deep.equal([]);
    expect([...garden.answers.keys()].filter((field) => secret.test(field)).length).to.be.above(10);
  });

  it('is nowhere once its account was erased, but for what is listed', async () => {
    const listed = Object.values(kept).flatMap(({ fields }) => fields);
    let found = await garden.found();
    const extra = () => [...found].filter(([field]) => !listed.includes(field));
    // Read models follow the log.
    await until(
      async () => {
        if (extra().length > 0) found = await garden.found();
        return extra().length === 0;
      },
      { limitMs: 30_000 },
    ).catch(() => undefined);
    expect(extra()).to.deep.equal([]);
    expect(
      listed.filter((field) => !found.has(field)),
      'listed, and sealed by now',
    ).to.deep.equal([]);
  });

  it('is what docs/people.md says', () => {
    const text = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8');
    const [, erasure = ''] = text.split('\n## Erasure\n');
    const [, ...said] = [...erasure.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, what, why]) => [what, why]);
    expect(said).to.deep.equal(Object.entries(kept).map(([what, { why }]) => [what, why]));
  });
});
