import { expect } from 'chai';
import { usePages } from './pages.ts';

describe('the console on the phone of a new user', function () {
  this.timeout(240_000);
  const pages = usePages();
  const viewport = { width: 390, height: 844 };

  it('shows the ways to sign in apart from each other', async () => {
    const page = await pages.open({ as: null, viewport });
    await page.goto('/console/sign-in');
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).waitFor();
    const touching = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main p a')].filter((link) => {
        const [one, other] = [link, link.nextElementSibling].map((each) => each.getBoundingClientRect());
        return other.top < one.bottom && other.left - one.right < 8;
      }).map(({ textContent }) => textContent)`,
    );
    expect(touching).to.deep.equal([]);
  });

  it('has dialogs that move nothing on the page, with small checkboxes and a close button', async () => {
    const page = await pages.open({ viewport });
    await page.goto('/console/keys');
    const heading = page.getByRole('heading', { name: 'API keys' });
    await heading.waitFor();
    const before = await heading.boundingBox();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    const box = await dialog.getByLabel('Read everything').boundingBox();
    expect(box?.width).to.be.below(30);
    expect(await heading.boundingBox()).to.deep.equal(before);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await dialog.getByText('Go anywhere').waitFor();
  });

  it('names the limits in words, and has a plot with readable texts', async () => {
    const page = await pages.open({ viewport });
    await page.goto('/console/usage');
    await page.getByRole('table', { name: 'Quotas' }).getByText('Open invitations').waitFor();
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('figure > p, figure text')].map((text) => {
        const scale = text.ownerSVGElement ? text.getCTM().a : 1;
        return scale * parseFloat(getComputedStyle(text).fontSize);
      })`,
    );
    expect(Math.min(...sizes)).to.be.at.least(12);
    await page.goto('/console/');
    const limits = page.getByRole('table', { name: 'Usage and limits' });
    await limits.getByText('Open invitations').waitFor();
    await page.getByText('0 MB').waitFor();
  });
});
