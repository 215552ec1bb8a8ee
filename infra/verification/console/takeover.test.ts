import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../testbed/index.ts';
import { usePages } from './pages.ts';

const withoutWebRTC = 'delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection;';

/** The topic and the text of a message on a socket with pictures; empty for a picture. */
function messageIn(frame: string | Buffer): { readonly topic: string; readonly text: string } {
  if (typeof frame !== 'string') return { topic: '', text: '' };
  const { topic = '', payload = '' } = JSON.parse(frame) as { topic?: string; payload?: string };
  return { topic, text: Buffer.from(payload, 'base64').toString() };
}

describe('a takeover in the console that fails', function () {
  this.timeout(300_000);
  const pages = usePages({ env: { SIMULATED_WINDOW: 'on' } });
  const refused = {
    status: 503,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'https://x/feature-unavailable', title: 'Not now', status: 503 }),
  };

  /** The id of an agent session with a browser. */
  const begun = async (): Promise<string> => {
    const { sessions, agents } = pages.person.api;
    const { id: browser } = await sessions.create();
    return (await agents.create({ mode: 'ai', service_session_id: browser })).id;
  };
  /** The phone on its page, as pictures. Nobody can change its mode there. */
  const phoneOf = async (page: Page, id: string) => {
    await page.addInitScript(withoutWebRTC);
    await page.route('**/mode', (route) => route.fulfill(refused));
    await page.goto(`/console/agents/${id}`);
    const phone = page.getByRole('region', { name: 'Phone' });
    await phone.getByText(/five pictures a second/).waitFor({ timeout: 60_000 });
    return phone;
  };

  it('leaves the controls to the agent, also when the mode is changed to pair later', async () => {
    const { agents } = pages.person.api;
    const id = await begun();
    const page = await pages.open();
    const sent: string[] = [];
    let isPair = false;
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(messageIn(payload).topic));
      socket.on('framereceived', ({ payload }) => {
        const { topic, text } = messageIn(payload);
        isPair ||= topic === 'control' && text.includes('"mode":"pair"');
      });
    });
    const phone = await phoneOf(page, id);
    await phone.getByRole('button', { name: 'Take over' }).click();
    await phone.getByText('Not now').waitFor();
    await agents.mode(id, { mode: 'pair' });
    await until(() => isPair);
    // The page has taken the message when it answers.
    await page.evaluate('0');
    expect(sent).not.to.include('control');
    expect((await agents.get(id)).pair_mode_state?.kind).to.equal('ai-driving');
  });

  it('says so also where its key was pressed', async () => {
    const page = await pages.open();
    const phone = await phoneOf(page, await begun());
    await phone.getByRole('button', { name: 'Take over' }).waitFor();
    await page.keyboard.press('t');
    await phone.getByText('Not now').waitFor();
  });
});
