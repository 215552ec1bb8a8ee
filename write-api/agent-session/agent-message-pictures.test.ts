import { expect } from 'chai';
import type { Intent, Plan } from '../../contracts/resources/agent-turn.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };
const open = (path: string): Intent => ({ kind: 'navigate', url: `http://sim.test${path}` });
const looking = (path: string, more: object = {}): Plan => ({
  ...{ decision: 'plan', intents: [open(path)], readBack: false, after: 'look' },
  ...more,
});
const answer: Plan = { decision: 'answer', answer: 'Seen.' };
const canary = 'canary-5d81-value';

describe('pictures of pages', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ model });
  });
  after(() => agents.close());

  /** The pictures sent with the rounds of a message. */
  async function shown(plans: readonly Plan[], more: object = {}): Promise<readonly (string | null)[]> {
    const opened = await agents.open();
    for (const plan of plans) model.plans(plan);
    const { status, text } = await agents.message(opened, 'what is there?', own, more);
    expect(status, text).to.equal(200);
    const pictures = model.asked.slice(-plans.length).map(({ picture = null }) => picture);
    const kept = JSON.stringify(await agents.sealed(opened));
    for (const picture of pictures) expect(`${kept}${text}`).not.to.contain(picture ?? 'no picture');
    return pictures;
  }
  const sizeOf = (picture: string | null | undefined): readonly number[] => {
    const bytes = Buffer.from(picture ?? '', 'base64');
    const at = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  };

  it('come with the look that a plan asks for, and with no other', async () => {
    const [first, second, third] = await shown([looking('/', { picture: true }), looking('/form'), answer]);
    expect([first, third]).to.deep.equal([null, null]);
    expect(sizeOf(second)).to.deep.equal([390, 844]);
  });

  it('do not come where the page shows a value that is hidden', async () => {
    const variables = { key: { value: canary } };
    const path = `/counter?for=${canary}`;
    expect(await shown([looking(path, { picture: true }), answer], { variables })).to.deep.equal([
      null,
      null,
    ]);
    const [, other] = await shown([looking('/', { picture: true }), answer], { variables });
    expect(sizeOf(other)).to.deep.equal([390, 844]);
  });

  it('do not come where the deployment sends none', async () => {
    const others = await startAgents({ model, turnSettings: { pictures: false } });
    try {
      const opened = await others.open();
      model.plans(looking('/', { picture: true })).plans(answer);
      await others.message(opened, 'what is there?', own);
      expect(model.asked.at(-1)?.picture).to.equal(null);
    } finally {
      await others.close();
    }
  });
});
