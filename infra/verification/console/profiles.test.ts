import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, showsAsText, usePages } from './pages.ts';

describe('the pages of the console about profiles', function () {
  this.timeout(240_000);
  const pages = usePages();
  const row = (page: Page, table: string, name: string) =>
    page.getByRole('table', { name: table }).locator('tbody tr').filter({ hasText: name });

  it('make a profile, take a snapshot of it, restore that as another one', async () => {
    const page = await pages.open();
    await page.goto('/console/profiles');
    await page.getByRole('button', { name: 'New profile' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByRole('button', { name: 'Create profile' }).click();
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await dialog.getByLabel('Label').fill('before the sale');
    await dialog.getByRole('button', { name: 'Take a snapshot' }).click();
    const snapshot = row(page, 'Snapshots', 'before the sale');
    await snapshot.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByLabel('Name').fill('shop of before');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'shop of before' }).waitFor();
    await page.getByText('Restored from').waitFor();
  });

  it('show what a profile was made from and its copies, as a tree', async () => {
    const { api } = pages.person;
    const origin = await api.profiles.create({ name: 'the origin' });
    const copy = await api.profiles.clone(origin.id, { name: 'its copy' });
    const taken = await api.profileSnapshots.create(copy.id, { label: 'of its copy' });
    const restored = await api.profileSnapshots.restore(taken.id, { name: 'made again' });
    const page = await pages.open();
    const tree = page.locator('.tree');
    const here = (depth: number, name: string) =>
      page.locator(`.tree > li${' > ul > li'.repeat(depth)} > [aria-current]`).filter({ hasText: name });
    await page.goto(`/console/profiles/${origin.id}`);
    await here(0, 'the origin').waitFor();
    await page.locator('.tree > li > ul > li').getByRole('link', { name: 'its copy' }).click();
    await here(1, 'its copy').waitFor();
    expect(await tree.innerText()).to.equal('the origin\nits copy');
    await page.goto(`/console/profiles/${restored.id}`);
    await here(3, 'made again').waitFor();
    expect(await tree.innerText()).to.equal('the origin\nits copy\nof its copy Snapshot\nmade again');
    await api.profiles.trashOne(origin.id);
    await api.profiles.purge(origin.id);
    await page.goto(`/console/profiles/${copy.id}`);
    await tree.getByText(`${origin.id} cannot be shown: it is gone`).waitFor();
    await here(1, 'its copy').waitFor();
  });

  it('show no lineage of a profile that was made from none and has no copies', async () => {
    const { id } = await pages.person.api.profiles.create({ name: 'on its own' });
    const page = await pages.open();
    const copies = page.waitForResponse(/made_from=/);
    await page.goto(`/console/profiles/${id}`);
    await copies;
    await page.getByText('It has no snapshots.').waitFor();
    expect(await page.getByRole('heading', { name: 'Lineage' }).count()).to.equal(0);
  });

  it('put a profile into the trash, bring it back, and purge it once its name is typed', async () => {
    const { api } = pages.person;
    const { id } = await api.profiles.create({ name: 'to be purged' });
    const page = await pages.open();
    await page.goto(`/console/profiles/${id}`);
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
    await page.waitForURL('**/console/profiles');
    await page.getByRole('link', { name: 'Trash' }).click();
    await row(page, 'Trash', 'to be purged').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty.').waitFor();
    await api.profiles.trashOne(id);
    await page.reload();
    await row(page, 'Trash', 'to be purged').getByRole('button', { name: 'Purge' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Purge' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Type to be purged to confirm').fill('to be purged');
    await dialog.getByRole('button', { name: 'Purge' }).click();
    await page.getByText('The trash is empty.').waitFor();
    const gone = await api.profiles.get(id).catch((error: unknown) => error);
    expect(gone).to.have.property('status', 404);
  });

  it('launch a profile, and export it with a passphrase that is shown once', async () => {
    const { id } = await pages.person.api.profiles.create({ name: 'to be launched' });
    const page = await pages.open();
    await page.goto(`/console/profiles/${id}`);
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).to.equal('to be launched.profile');
    expect(await page.locator('.once pre').innerText()).to.have.length.greaterThan(10);
    await page.getByRole('button', { name: 'Launch' }).click();
    await page.waitForURL('**/console/sessions/ses_*');
    await page.getByText('ready', { exact: true }).waitFor();
  });

  it('accept a profile that somebody else has offered', async () => {
    const [giver, taker] = [pages.person, await pages.somebody()];
    const { id } = await giver.api.profiles.create({ name: 'to be given away' });
    const offering = await pages.open({ as: giver });
    await offering.goto(`/console/profiles/${id}`);
    await offering.getByRole('button', { name: 'Transfer' }).click();
    const offer = offering.getByRole('dialog');
    await offer.getByLabel('Account').fill(taker.account.account_id);
    await offer.getByRole('button', { name: 'Transfer' }).click();
    await offer.getByText(`with the id ${id}.`).waitFor();
    const page = await pages.open({ as: taker });
    await page.goto('/console/profiles');
    await page.getByRole('button', { name: 'Accept a transfer' }).click();
    await page.getByRole('dialog').getByLabel('Profile').fill(` ${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(`**/console/profiles/${id}`);
    await page.getByRole('heading', { name: 'to be given away' }).waitFor();
  });

  it('show every name as text', async () => {
    const names = Object.values(hostileTexts).map((text) => text.slice(0, 60));
    for (const name of names) await pages.person.api.profiles.create({ name });
    const page = await pages.open();
    await page.goto('/console/profiles');
    await showsAsText(page, names);
  });

  let [id, youngest] = ['', ''];
  before(async () => {
    const { profiles } = pages.person.api;
    ({ id } = await profiles.create({ name: 'to be looked at', description: 'It keeps a basket.' }));
    youngest = id;
    for (let generation = 1; generation <= 11; generation += 1)
      ({ id: youngest } = await profiles.clone(youngest, { name: `${'w'.repeat(60)} ${generation}` }));
  });
  canBeRead(pages, [
    { name: 'profiles', path: '/profiles', until: (page) => row(page, 'Profiles', 'looked at').waitFor() },
    {
      name: 'profile',
      path: () => `/profiles/${id}`,
      until: (page) => page.getByText('It has no snapshots.').waitFor(),
    },
    {
      name: 'lineage',
      path: () => `/profiles/${youngest}`,
      until: (page) => page.getByText('only the 10 nearest are shown').waitFor(),
    },
    {
      name: 'trash',
      path: '/profiles/trash',
      until: (page) => page.getByText('The trash is empty.').waitFor(),
    },
  ]);
});
