import { startWriteSide, type WriteSide } from '../testing.ts';

/** A write side with one session of an account, for the tests of the `describe` around it. */
export function withSession() {
  let started: { readonly side: WriteSide; readonly token: string; readonly id: string } | undefined;
  before(async () => {
    const side = await startWriteSide();
    const { token } = await side.staff.account('team');
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    started = { side, token, id: String(json.id) };
  });
  after(() => started?.side.close());
  const parts = () => {
    if (!started) throw new Error('The session is there in tests only.');
    return started;
  };
  return {
    get side() {
      return parts().side;
    },
    get id() {
      return parts().id;
    },
    get token() {
      return parts().token;
    },
    operate: (operation: string, body: object) => {
      const { side, token, id } = parts();
      return side.call(`POST /v1/sessions/${id}/${operation}`, { token, body });
    },
  };
}
