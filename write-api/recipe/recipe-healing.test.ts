import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeParameter, RecipeStep } from '../../contracts/resources/recipe.ts';
import { startDriver } from '../../infra/fleet/webkit/testing/browser.ts';
import { parseAllowList } from '../../infra/outbound/address-policy.ts';
import { tempDir } from '../../infra/verification/testbed/index.ts';
import { startAgents, type Agents } from '../testing/agents.ts';

interface Design {
  readonly field: string;
  readonly button: string;
}
/** A form that greets, with element names of the given design. */
const pageOf = ({ field, button }: Design) => `<!doctype html><title>Greeting</title>
  <form onsubmit="event.preventDefault(); document.querySelector('h1').textContent = 'Hello ' + this.elements[0].value">
    <div><label for="${field}">Your name</label> <input id="${field}" autocomplete="off"></div>
    ${button}
  </form><h1>Nobody yet</h1>`;

const original = { field: 'name', button: '<button id="greet" class="old">Greet</button>' };
const redesigned = {
  field: 'field-2',
  button: '<p><span><button class="primary" data-v="2">Greet</button></span></p>',
};
/** Its button is disabled until four seconds after the last letter of a name. */
const hesitant = {
  field: 'name',
  button: `<button id="greet" disabled>Greet</button><script>
    let due;
    document.querySelector('#name').oninput = () => {
      clearTimeout(due);
      due = setTimeout(() => (document.querySelector('#greet').disabled = false), 4000);
    };
  </script>`,
};

describe('a recipe on real WebKit, whose page has changed', () => {
  let agents: Agents;
  let server: Server;
  let url: string;
  let design: Design = original;
  before(async () => {
    server = createServer((_req, res) => {
      res.setHeader('Content-Type', 'text/html');
      res.end(pageOf(design));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const browsers = await startDriver({ runtimeDir: tempDir('webkit') });
    agents = await startAgents({ browsers, allow: parseAllowList('127.0.0.0/8') });
  });
  after(async () => {
    await agents.close();
    server.close();
  });

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const save = async ({ token, id }: Opened, written: object = {}) => {
    const body = { agent_session_id: id, ...written };
    const saved = await agents.side.call('POST /v1/recipes', { token, body });
    expect(saved.status, saved.text).to.equal(201);
    return saved.json;
  };
  /** A recipe of a run on the original page. */
  const recorded = async () => {
    design = original;
    const first = await agents.open();
    const said = `go to ${url} then type "Ada" into "Your name" then tap "Greet" then wait for "Hello Ada"`;
    const done = await agents.message(first, said);
    expect(done.json.ok, done.text).to.equal(true);
    return { first, saved: await save(first) };
  };
  const run = async (first: Opened, recipe_id: unknown, your_name: string) => {
    await agents.shut(first.id);
    const again = await agents.open({ account: first });
    const ran = await agents.side.call(`POST /v1/agent-sessions/${again.id}/message`, {
      token: first.token,
      body: { user_message: 'Greet her', recipe_id, parameters: { your_name } },
    });
    expect(ran.json.ok, ran.text).to.equal(true);
    return ran.json.results as readonly IntentResult[];
  };
  const healedOf = (results: readonly IntentResult[]) =>
    results.map((each) => 'healed' in each && each.healed);

  it('is carried out all the same, with what was found by its text marked as healed', async () => {
    const { first, saved } = await recorded();
    const steps = saved.steps as readonly RecipeStep[];
    expect(steps.map(({ target }) => target)).to.deep.equal([
      undefined,
      { selector: '#name', text: 'Your name', role: 'textbox' },
      { selector: '#greet', text: 'Greet', role: 'button' },
      undefined,
    ]);
    const parameters = saved.parameters as readonly RecipeParameter[];
    expect(parameters).to.deep.equal([
      { name: 'your_name', type: 'string', sensitive: false, default: 'Ada' },
    ]);

    design = redesigned;
    const results = await run(first, saved.id, 'Grace');
    expect(healedOf(results)).to.deep.equal([false, true, true, false]);
    const found = results[2]?.kind === 'success' ? results[2].target : undefined;
    expect(found).to.include({ text: 'Greet', role: 'button' });
    expect(found?.selector).to.match(/button$/);
  });

  it('has three seconds to find an element, and more to act on it', async () => {
    const { first, saved } = await recorded();
    const steps = (saved.steps as readonly { action?: { kind: string } }[]).map((step) =>
      step.action?.kind === 'type' ? { ...step, action: { ...step.action, delay_ms: 120 } } : step,
    );
    const { id } = await save(first, { steps });
    design = hesitant;
    const results = await run(first, id, 'Grace Brewster Murray Hopper, Rear Admiral');
    expect(healedOf(results)).to.deep.equal([false, false, false, false]);
  });
}).timeout(120_000);
