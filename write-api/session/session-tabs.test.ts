import { expect } from 'chai';
import { withSession } from '../testing/one-session.ts';

describe('what an operation may say beside its action', () => {
  const session = withSession();
  const { operate } = session;

  it('is how dialogs are answered', async () => {
    for (const dialogs of [{ accept: false }, { accept: true }, { accept: true, prompt_text: '' }]) {
      const { status } = await operate('interact', { action: { kind: 'press', key: 'a' }, dialogs });
      expect(status).to.equal(200);
    }
  });

  it('is refused where it is not known', async () => {
    const { status } = await operate('interact', {
      action: { kind: 'press', key: 'a' },
      dialogs: { accept: true, text: 'x' },
    });
    expect(status).to.equal(400);
  });

  it('does not close the only tab, nor find one that is not there', async () => {
    const last = await operate('interact', { action: { kind: 'close_tab' } });
    expect(last.json.detail).to.include('The last tab of a session cannot be closed.');
    const tab_id = 'tab_00000000-0000-0000-0000-000000000000';
    const none = await operate('interact', { action: { kind: 'activate_tab', tab_id } });
    expect([last.status, none.status]).to.deep.equal([400, 400]);
    expect(none.json.detail).to.include('There is no such tab.');
  });

  it('is who signs in by HTTP, whose name and password are kept nowhere', async () => {
    const credentials = { username: 'ada-the-secret', password: 'a-secret-password' };
    const answer = await operate('navigate', { url: 'http://sim.test/', credentials });
    expect(answer.status).to.equal(200);
    const kept = JSON.stringify(
      [answer.json, await session.side.events(`session-${session.id.slice(4)}`), session.side.driverLog()],
      (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(kept).not.to.include('ada-the-secret').and.not.to.include('a-secret-password');
  });
});
