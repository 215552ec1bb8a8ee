import { expect } from 'chai';
import pg from 'pg';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { usePages } from './pages.ts';

const COUNT = 10_000;

/** The browser's layout shifts since the page was opened, with what moved. */
const measureShifts = `
  globalThis.shifts = [];
  const nameOf = ({ node }) => (node?.nodeType === 1 ? node.outerHTML.slice(0, 80) : node?.textContent?.slice(0, 40));
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(nameOf) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('a list of ten thousand sessions', function () {
  this.timeout(180_000);
  const pages = usePages();

  /** Inserts copies of one session into the read model, each a second older than the previous one. */
  async function fill(): Promise<void> {
    const { api } = pages.person;
    const session = await api.sessions.create({ label: 'one of many' });
    await session.end();
    const pool = new pg.Pool({ connectionString: readStack(pages.stack.dataDir)?.environment.POSTGRES_URL });
    try {
      await pool.query(
        `insert into read_model.sessions
         select copy.* from read_model.sessions as one, generate_series(1, ${COUNT - 1}) as number,
           jsonb_populate_record(one, jsonb_build_object(
             'id', 'ses_' || gen_random_uuid(), 'created_at', one.created_at - number * interval '1 second'
           )) as copy
         where one.id = $1`,
        [session.id],
      );
    } finally {
      await pool.end();
    }
  }

  it('shows its first rows soon, further ones in their order, and moves nothing that is shown', async () => {
    await fill();
    const page = await pages.open();
    await page.addInitScript(measureShifts);
    await page.goto('/console/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const rows = page.getByRole('table', { name: 'Sessions' }).locator('tbody tr');
    const begun = Date.now();
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await rows.nth(49).waitFor();
    const firstMs = Date.now() - begun;
    for (const count of [100, 150, 200]) {
      await page.getByRole('button', { name: 'Load more' }).click();
      await rows.nth(count - 1).waitFor();
    }
    const times = await page.evaluate<string[]>(
      `[...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('time').dateTime)`,
    );
    expect(times).to.deep.equal([...times].sort().toReversed());
    expect(new Set(times)).to.have.property('size', 200);
    const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts');
    const shift = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(shift, JSON.stringify(shifts)).to.be.at.most(0.02);
    // The promise is a second; the rest allows for a busy machine.
    expect(firstMs).to.be.below(10_000);
  });

  it('finds what fits a filter of the console’s own, and says how far it has looked', async () => {
    const page = await pages.open();
    await page.goto('/console/sessions?label=there+is+none');
    await page.getByText('None matches the filter. Searched 500.').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('None matches the filter. Searched 1000.').waitFor();
  });
});
