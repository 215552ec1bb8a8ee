import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import type { MessageAnswer } from '../../../contracts/client/index.ts';
import { until } from '../testbed/index.ts';
import { hold } from './hold.ts';
import { canBeRead, hostileTexts, showsAsText, usePages } from './pages.ts';

describe('the pages of the console about agents', function () {
  this.timeout(240_000);
  const pages = usePages();

  const begin = async (page: Page, mode: string): Promise<string> => {
    await page.goto('/console/agents');
    await page.getByRole('link', { name: 'New agent' }).click();
    const start = page.getByRole('button', { name: 'Start', exact: true });
    // The list of agents, which may still be shown, has a `Mode` too.
    await page.locator('form', { has: start }).getByLabel('Mode').selectOption(mode);
    await start.click();
    await page.waitForURL('**/agents/agt_*');
    return new URL(page.url()).pathname.split('/').at(-1) ?? '';
  };
  const box = (page: Page) => page.getByLabel('Message');
  const said = (page: Page) => page.getByRole('log', { name: 'Conversation' });

  it('start an agent, send it a task, and show its steps with their results', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    await said(page).getByText('Nothing has been said yet.').waitFor();
    await box(page).fill('go to https://example.com/');
    await box(page).press('Shift+Enter');
    await box(page).pressSequentially('tap "More information..."');
    expect(await box(page).inputValue()).to.include('\n');
    await box(page).press('Enter');
    const steps = said(page).getByRole('list', { name: 'Steps' });
    await steps.getByText('Open https://example.com/').waitFor();
    await steps.getByText('done').first().waitFor();
    await steps.getByText('tap More information...').waitFor();
    await said(page).getByText('Decided by rules, without a model.').waitFor();
    expect(await box(page).inputValue()).to.equal('');
    expect((await pages.person.api.agents.get(id)).transcript_length).to.be.above(1);
    await page.reload();
    await said(page).getByText('Open https://example.com/').waitFor();
  });

  it('show messages that are sent elsewhere, as they arrive', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    await pages.person.api.agents.message(id, { user_message: 'wait 1 second' });
    await said(page).getByText('wait 1 second', { exact: true }).waitFor();
  });

  const toldByHand = async (...texts: readonly string[]): Promise<string> => {
    const { agents } = pages.person.api;
    const { id } = await agents.create({ mode: 'manual' });
    for (const text of texts) await agents.message(id, { user_message: text });
    return id;
  };

  it('show that a conversation is being read, instead of that nothing has been said', async () => {
    const page = await pages.open();
    const release = await hold(page, '**/transcript*');
    await page.goto(`/console/agents/${await toldByHand('a note')}`);
    await said(page).getByText('Loading…').waitFor();
    expect(await said(page).getByText('Nothing has been said yet.').count()).to.equal(0);
    release();
    await said(page).getByText('a note').waitFor();
  });

  it('show the results in the transcript, and why there is none', async () => {
    const page = await pages.open();
    const results = [
      { result: { total: 19.9 }, result_error: null },
      { result: null, result_error: 'The budget is used up.' },
    ];
    const eventOf = (more: object, index: number) => {
      const entry = { role: 'agent', body: 'Done.', at: '2026-01-01T00:00:00.000Z', ...more };
      return `id: ${index}\nevent: transcript.entry\ndata: ${JSON.stringify({ index, entry })}\n\n`;
    };
    const answer = { contentType: 'text/event-stream', body: results.map(eventOf).join('') };
    await page.route('**/transcript*', (route) => route.fulfill(answer), { times: 1 });
    await page.goto(`/console/agents/${await toldByHand('one', 'two')}`);
    await said(page).getByText('"total": 19.9').waitFor();
    await said(page).getByText('No result: The budget is used up.').waitFor();
  });

  it('offer to allow what the last answer asks for, until another message is sent elsewhere', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    const asks = async (route: Route) => {
      const headers = { ...route.request().headers(), accept: 'application/json' };
      const response = await route.fetch({ headers });
      const { session } = (await response.json()) as MessageAnswer;
      const intents = [{ kind: 'navigate', url: 'https://else.example/' }];
      await route.fulfill({
        response,
        json: { kind: 'clarify', session, clarifying_question: '?', intents },
      });
    };
    await page.route('**/message', asks, { times: 1 });
    await box(page).fill('go to https://example.com/');
    await box(page).press('Enter');
    await page.getByText('Open https://else.example/').waitFor();
    const allow = page.getByRole('button', { name: 'Allow and continue' });
    await allow.waitFor();
    await pages.person.api.agents.message(id, { user_message: 'wait 1 second' });
    await said(page).getByText('wait 1 second', { exact: true }).waitFor();
    await allow.waitFor({ state: 'detached' });
  });

  it('change the mode, pause, and resume in the previous mode', async () => {
    const page = await pages.open();
    const id = await begin(page, 'Pair');
    const isIn = async (mode: string) => {
      await page.getByRole('radio', { name: mode, exact: true, checked: true }).waitFor();
    };
    await isIn('Pair');
    await page.getByRole('button', { name: 'Pause' }).click();
    await isIn('By hand');
    expect((await pages.person.api.agents.get(id)).mode).to.equal('manual');
    await page.getByRole('button', { name: 'Resume' }).click();
    await isIn('Pair');
    await page.getByRole('radio', { name: 'AI', exact: true }).click();
    await isIn('AI');
    expect((await pages.person.api.agents.get(id)).mode).to.equal('ai');
    await page.getByRole('radio', { name: 'By hand', exact: true }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await isIn('AI');
  });

  it('stop a running turn, and leave the agent ready for another', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    await box(page).fill('wait 10 seconds');
    await box(page).press('Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    // The phone beside it has an alert, too: there is no video here.
    await page.getByRole('region', { name: 'Conversation' }).getByRole('alert').waitFor();
    expect((await pages.person.api.agents.get(id)).mode).to.equal('ai');
    expect(await box(page).inputValue()).to.equal('wait 10 seconds');
    await box(page).fill('wait 1 second');
    await box(page).press('Enter');
    await said(page).getByText('Wait for').last().waitFor();
  });

  it('offer every profile for a new agent or session, however many there are', async () => {
    const somebody = await pages.somebody();
    const { profiles } = somebody.api;
    const made = Array.from({ length: 101 }, (_, n) => profiles.create({ name: `profile ${n}` }));
    await Promise.all(made);
    const names: string[] = [];
    // Waits until the list has all of them.
    for await (const { name } of profiles.list({ limit: 100 })) names.push(name);
    expect(names).to.have.length(101);
    const page = await pages.open({ as: somebody });
    const offered = async () => {
      const options = page.getByLabel('Profile').getByRole('option');
      await options.first().waitFor({ state: 'attached' });
      return options.allTextContents();
    };
    await page.goto('/console/agents/new');
    expect(await offered()).to.include.members(names);
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    expect(await offered()).to.include.members(names);
  });

  it('show why a message is refused, and keep its text', async () => {
    const somebody = await pages.somebody('free');
    const page = await pages.open({ as: somebody });
    await page.goto('/console/agents/new');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/console/agents/new');
  });

  it('upload a file to the browser, create and revoke a link, and end the session', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    await pages.person.api.agents.message(id, { user_message: 'go to https://example.com/' });
    await page.getByText('Files', { exact: true }).click();
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.getByLabel('File for the browser').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('note.txt is uploaded').waitFor();
    await page.getByText('Links to share').click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.locator('.once pre').textContent()) ?? '';
    expect(link).to.match(/\/console\/live#token=/);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('There are no links.').waitFor();
    const stranger = await pages.open({ as: null });
    await stranger.goto(link);
    await stranger.getByRole('button', { name: 'Show the phone' }).click();
    await stranger.getByRole('alert').getByText('This link has expired or is not valid.').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('table', { name: 'History' }).locator('tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('This agent session is closed.').waitFor();
    expect((await pages.person.api.agents.get(id)).status).to.equal('closed');
  });

  it('save the executed steps as a recipe', async () => {
    const page = await pages.open();
    const id = await begin(page, 'AI');
    await pages.person.api.agents.message(id, { user_message: 'go to https://example.com/' });
    await page.getByRole('button', { name: 'Save as recipe' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 steps').waitFor();
    await dialog.getByLabel('Name').fill('Look at the example');
    await dialog.getByRole('button', { name: 'Save as recipe' }).click();
    await page.getByText('Saved as recipe').waitFor();
    const { value } = await pages.person.api.recipes.list().byPage().next();
    expect(value?.data.map(({ name }) => name)).to.deep.equal(['Look at the example']);
  });

  const aRecipe = async (name: string) => {
    const { api } = pages.person;
    await using agent = await api.agents.create({ mode: 'ai' });
    await agent.send('go to https://example.com/');
    return (await api.recipes.create({ agent_session_id: agent.id, name })).id;
  };

  it('run a recipe on the page of a new agent', async () => {
    const page = await pages.open();
    await page.goto(`/console/recipes/${await aRecipe('to be run')}`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
    await page.waitForURL('**/console/agents/agt_*');
    await said(page).getByText('Open https://example.com/').waitFor();
  });

  it('show why a recipe does not run, and leave no agent behind', async () => {
    const { api } = pages.person;
    const active = async () => {
      const ids: string[] = [];
      for await (const { id, status } of api.agents.list()) if (status === 'active') ids.push(id);
      return ids;
    };
    const id = await aRecipe('to be deleted');
    const page = await pages.open();
    await page.goto(`/console/recipes/${id}`);
    await page.getByRole('button', { name: 'Run' }).click();
    // The page must not notice that the recipe was deleted.
    const release = await hold(page, `**/v1/recipes/${id}`);
    const before = await active();
    await api.recipes.delete(id);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^Request /)
      .waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/console/recipes/${id}`);
    await until(async () => String(await active()) === String(before));
    release();
  });

  it('show the texts of users as text', async () => {
    const texts = Object.values(hostileTexts);
    const page = await pages.open();
    await page.goto(`/console/agents/${await toldByHand(...texts)}`);
    await showsAsText(page, texts);
  });

  const look = { id: '' };
  before(async () => {
    const { id } = await pages.person.api.agents.create({ mode: 'ai' });
    await pages.person.api.agents.message(id, { user_message: 'go to https://example.com/' });
    look.id = id;
  });
  canBeRead(pages, [
    { name: 'agents', path: '/agents', until: (page) => page.locator('tbody tr').first().waitFor() },
    {
      name: 'agent-new',
      path: '/agents/new',
      until: (page) => page.getByRole('button', { name: 'Start', exact: true }).waitFor(),
    },
    {
      name: 'agent',
      path: () => `/agents/${look.id}`,
      until: (page) => said(page).getByText('Open https://example.com/').waitFor(),
    },
  ]);
});
