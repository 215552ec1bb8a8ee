import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { categories } from '../../../contracts/events/index.ts';
import { isRequestId, parseId } from '../../../contracts/ids.ts';
import { routes } from '../../../contracts/routes/index.ts';
import { until } from '../testbed/index.ts';
import { startGarden, type PlantedStack } from './garden.ts';
import { closedFields, kept } from './what-is-kept.ts';

/** Never in clear, not even while the account exists. */
const secret = /password|passphrase|otp$|api_key$|data_?(base64|B64)$|credentials|byok|Cookie|Authorization/;

const types = new Set(Object.values(categories).flatMap((each) => Object.keys(each.types)));
const streams = /^([a-z_]+)-[0-9a-f-]+$/;
const routeIds = new Set<string>(routes.map(({ id }) => id));
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Texts that the columns of causes and of answered requests may contain. */
const words: Readonly<Record<string, (text: string) => boolean>> = {
  id: isRequestId,
  root: isRequestId,
  cause: (text) => uuid.test(text),
  by: (text) =>
    /^(reaction|timer|callback):[a-z_ -]+$|^request:service command$/.test(text) ||
    routeIds.has(text.replace(/^request:/, '')),
  account_id: (text) => parseId('account', text) !== undefined,
  type: (text) => types.has(text),
  stream: (text) => (streams.exec(text)?.[1] ?? '') in categories,
  operation: (text) => routeIds.has(text),
  at: (text) => !Number.isNaN(Date.parse(text)),
};
const isOurs = (column: string, text: string): boolean => words[column]?.(text) ?? false;

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

  it('is nowhere in clear where it is secret, while its account exists', () => {
    expect([...whileThere].filter(([field]) => secret.test(field))).to.deep.equal([]);
    expect([...garden.answers.keys()].filter((field) => secret.test(field)).length).to.be.above(10);
  });

  it('is nowhere after its account was erased, except where listed', async () => {
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

  it('is in no stored cause or answer: those hold ids, types, routes and times', async () => {
    for (const table of ['read_model.causes', 'ephemeral.requests']) {
      const all = await garden.rows<{ row: Record<string, unknown> }>(
        `select to_jsonb(each) as row from ${table} as each`,
      );
      expect(all.length, table).to.be.above(100);
      const strange = all
        .flatMap(({ row }) => Object.entries(row))
        .filter(([column, value]) => typeof value === 'string' && !isOurs(column, value));
      expect(strange, table).to.deep.equal([]);
    }
  });

  it('is what docs/people.md says', () => {
    const text = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8');
    const [, erasure = ''] = text.split('\n## Erasure\n');
    const [, ...said] = [...erasure.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, what, why]) => [what, why]);
    expect(said).to.deep.equal(Object.entries(kept).map(([what, { why }]) => [what, why]));
  });
});
