import { expect } from 'chai';
import pg from 'pg';
import { readStack } from '../../main/supervisor/stack-file.ts';
import type { Page } from 'playwright-core';
import { usePages } from './pages.ts';
import { hold } from './hold.ts';
import { measureShifts, shiftsOn } from './shifts.ts';

const COUNT = 10_000;

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

  const rows = (page: Page) => page.getByRole('table', { name: 'Sessions' }).locator('tbody tr');
  const loadMore = async (page: Page, upTo: number) => {
    for (let count = 100; count <= upTo; count += 50) {
      await page.getByRole('button', { name: 'Load more' }).click();
      await rows(page)
        .nth(count - 1)
        .waitFor();
    }
  };
  const scrollOf = (page: Page) => page.evaluate<number>('scrollY');

  it('shows its first rows soon, further rows in order, and moves no visible row', async () => {
    await fill();
    const page = await pages.open();
    await measureShifts(page);
    await page.goto('/console/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const begun = Date.now();
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await rows(page).nth(49).waitFor();
    const firstMs = Date.now() - begun;
    await loadMore(page, 200);
    const times = await page.evaluate<string[]>(
      `[...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('time').dateTime)`,
    );
    expect(times).to.deep.equal([...times].sort().toReversed());
    expect(new Set(times)).to.have.property('size', 200);
    const { sum, all } = await shiftsOn(page);
    expect(sum, all).to.be.at.most(0.02);
    // The promise is a second; the rest allows for a busy machine.
    expect(firstMs).to.be.below(10_000);
  });

  it('finds rows by a client-side filter, and shows how far it has searched', async () => {
    const page = await pages.open();
    await page.goto('/console/sessions?label=there+is+none');
    await page.getByText('None matches the filter. Searched 500.').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('None matches the filter. Searched 1000.').waitFor();
  });

  it('restores the loaded rows and the scroll position on a return through the history, and starts anew by a link', async () => {
    const page = await pages.open();
    await page.goto('/console/sessions?label=one');
    await rows(page).nth(49).waitFor();
    await loadMore(page, 300);
    await rows(page).nth(280).scrollIntoViewIfNeeded();
    const scrolled = await scrollOf(page);
    await rows(page).nth(280).getByRole('link').click();
    await page.getByRole('heading', { name: 'one of many' }).waitFor();
    const release = await hold(page, '**/v1/sessions?*');
    await page.goBack();
    await rows(page).nth(299).waitFor();
    expect(await scrollOf(page)).to.equal(scrolled);
    await pages.person.api.sessions.create({ label: 'one that is new' });
    release();
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await rows(page).nth(280).getByRole('link').click();
    await page.getByRole('heading', { name: 'one of many' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await rows(page).filter({ hasText: 'one that is new' }).waitFor();
    expect(await rows(page).count()).to.equal(50);
    expect(await scrollOf(page)).to.equal(0);
  });
});
