import { expect } from 'chai';
import type { HeldDialog, InputMessage } from '../../../contracts/resources/room.ts';
import { until } from '../testbed/index.ts';
import { usePages } from './pages.ts';

const withoutWebRTC = 'delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection;';
const shown = { state: 'loaded', url: 'https://shop.example/', title: 'Shop', keyboard: null };
const dialogOf = (about: Partial<HeldDialog>): HeldDialog => ({
  ...{ id: 1, type: 'confirm', origin: 'https://shop.example', message: 'Delete?' },
  ...{ default_text: null, answer_ms: 20_000 },
  ...about,
});

/** The event of a message on a socket with pictures; undefined for other topics. */
function inputIn(frame: string | Buffer): InputMessage['event'] | undefined {
  const { topic, payload } = JSON.parse(frame.toString()) as { topic?: string; payload?: string };
  if (topic !== 'input') return undefined;
  return (JSON.parse(Buffer.from(payload ?? '', 'base64').toString()) as InputMessage).event;
}

describe('a dialog of the page on the phone of the console', function () {
  this.timeout(300_000);
  const pages = usePages({ env: { SIMULATED_WINDOW: 'on' } });

  /** A phone whose person has the controls. `tell` shows a dialog on it; null: it was answered. */
  const driven = async () => {
    const { sessions, agents } = pages.person.api;
    const { id: browser } = await sessions.create();
    const { id } = await agents.create({ mode: 'pair', service_session_id: browser });
    const page = await pages.open();
    await page.addInitScript(withoutWebRTC);
    const answers: unknown[] = [];
    const node = { say: (_frame: string): void => undefined };
    await page.routeWebSocket(/\/frames\?/, (socket) => {
      const server = socket.connectToServer();
      node.say = (frame) => socket.send(frame);
      socket.onMessage((frame) => {
        const event = inputIn(frame);
        if (event?.type === 'answerDialog') answers.push(event);
        server.send(frame);
      });
    });
    await page.goto(`/console/agents/${id}`);
    const phone = page.getByRole('region', { name: 'Phone' });
    await phone.getByText(/five pictures a second/).waitFor({ timeout: 60_000 });
    await phone.getByRole('button', { name: 'Take over' }).click();
    await phone.getByText('You have the controls.').waitFor();
    const tell = (dialog: HeldDialog | null) => {
      const payload = Buffer.from(JSON.stringify({ ...shown, dialog })).toString('base64');
      node.say(JSON.stringify({ topic: 'page', payload }));
    };
    const dialog = phone.getByRole('alertdialog', { name: 'The page of https://shop.example says:' });
    return { page, phone, dialog, answers, tell };
  };

  it('is said to be of the page, accepted by Enter and dismissed by Escape', async () => {
    const { page, dialog, answers, tell } = await driven();
    for (const [id, key, accept] of [
      [1, 'Enter', true],
      [2, 'Escape', false],
    ] as const) {
      tell(dialogOf({ id }));
      await dialog.getByText('Delete?').waitFor();
      await page.keyboard.press(key);
      await until(() => answers.length === id);
      expect(answers.at(-1)).to.deep.equal({ type: 'answerDialog', dialogId: id, accept });
      tell(null);
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('is answered with a text', async () => {
    const { page, dialog, answers, tell } = await driven();
    tell(dialogOf({ type: 'prompt', message: 'Name?', default_text: 'Ada' }));
    const field = dialog.getByLabel('Answer');
    expect(await field.inputValue()).to.equal('Ada');
    await field.fill('Grace');
    await page.keyboard.press('Enter');
    await until(() => answers.length > 0);
    expect(answers).to.deep.equal([{ type: 'answerDialog', dialogId: 1, accept: true, text: 'Grace' }]);
  });

  it('does not keep its person from giving the controls back, even if the page asks on and on', async () => {
    const { page, phone, dialog, tell } = await driven();
    await phone.getByRole('button', { name: 'Give back' }).focus();
    for (const id of [1, 2, 3]) {
      tell(dialogOf({ id, message: `Really, ${id}?` }));
      await dialog.getByText(`Really, ${id}?`).waitFor();
    }
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Give back');
    await page.keyboard.press('Enter');
    await phone.getByText('The agent has the controls.').waitFor();
    await phone.getByText('The person who has the controls can answer it.').waitFor();
  });
});
