import type { LiveInput, LiveOperation } from '../../../../contracts/fleet/operations.ts';
import type { SessionId } from '../../../../contracts/ids.ts';
import type { CreateDispatch } from '../../../../contracts/fleet/protocol.ts';
import { startNodeOf } from '../../testing.ts';
import { startDriver } from './browser.ts';
import { startCaseSite, type Case, type CaseSite } from './cases/site-case.ts';

interface Parts {
  readonly site: CaseSite;
  readonly on: Awaited<ReturnType<typeof startNodeOf>>;
}

interface Started extends Parts {
  readonly session: SessionId;
}

/** Starts a node with real browsers and pages around the tests of a `describe`, and a session around each test. */
function startedAround(pages: Case['pages']) {
  let parts: Parts | undefined;
  let session: SessionId | undefined;
  const started = (): Started => {
    if (!parts || !session) throw new Error('The session is there in tests only.');
    return { ...parts, session };
  };
  const destroy = async () => started().on.sessions.destroy(started().session);
  before(async () => {
    const site = await startCaseSite();
    site.serve(pages);
    parts = { site, on: await startNodeOf(await startDriver()) };
  });
  after(async () => {
    await parts?.on.stop();
    await parts?.site.close();
  });
  beforeEach(async () => {
    session = await parts?.on.create();
  });
  afterEach(destroy);
  const renew = async (more: Pick<CreateDispatch, 'geolocation'> = {}) => {
    await destroy();
    session = await started().on.create(more);
  };
  return { started, renew };
}

/** Frequent steps of tests of a real browser on a node, each in its own session. */
export function withSessions(pages: Case['pages']) {
  const { started, renew } = startedAround(pages);
  const call = (timeoutMs = 20_000) => ({ node: started().on.node, session: started().session, timeoutMs });
  const ask = <O extends LiveOperation>(operation: O, input: LiveInput<O>, timeoutMs?: number) =>
    started().on.fleet.live(call(timeoutMs), operation, input);
  return {
    get site() {
      return started().site;
    },
    get on() {
      return started().on;
    },
    get session() {
      return started().session;
    },
    /** Replaces the current session by another one. */
    renew,
    call,
    ask,
    /** The answer to a call beside the operations. */
    got: async <O extends LiveOperation>(operation: O, input: LiveInput<O>) => {
      const answer = await ask(operation, input);
      if (answer.status !== 'ok') throw new Error(answer.reason);
      return answer.result;
    },
    ...handsOn(started),
  };
}

const handsOn = (started: () => Started) => ({
  go: (path: string, timeoutMs?: number) => {
    const { on, session, site } = started();
    return on.operate(session, 'navigate', { url: `${site.origin}${path}` }, timeoutMs);
  },
  /** The text of an element. */
  read: async (selector: string) => {
    const { on, session } = started();
    const schema = { type: 'string', 'x-selector': selector };
    return (await on.operate(session, 'extract', { schema })).data;
  },
});
