import { expect } from 'chai';
import type { SessionId } from '../../../contracts/ids.ts';
import type { Answer } from '../../http/testing.ts';
import { glance, type Client } from './client.ts';

export interface Load {
  readonly answers: readonly Answer[];
  /** Number of acknowledged operations by session. */
  readonly acknowledged: ReadonlyMap<SessionId, number>;
  /** Resolves when the last answer has arrived. */
  end(): Promise<void>;
}

/**
 * Clients that each run one operation after the other on a session. After a 503 a client continues with a new session.
 */
export function underLoad(client: Client, clients: number): Load {
  const answers: Answer[] = [];
  const acknowledged = new Map<SessionId, number>();
  let working = true;

  const ask = async (target: string, body: object): Promise<Answer> => {
    const answer = await client.call(target, body);
    answers.push(answer);
    return answer;
  };
  const operate = async (id: SessionId): Promise<void> => {
    for (let done = 0; working; done += 1) {
      acknowledged.set(id, done);
      if ((await ask(`POST /v1/sessions/${id}/wait`, glance)).status !== 200) return;
    }
  };
  const loop = async (): Promise<void> => {
    while (working) {
      const { status, json } = await ask('POST /v1/sessions', {});
      if (status === 201) await operate(json.id as SessionId);
    }
  };
  const loops = Array.from({ length: clients }, loop);
  return {
    answers,
    acknowledged,
    end: async () => {
      working = false;
      await Promise.all(loops);
    },
  };
}

/** During an outage answers are 503 with Retry-After, and never another 5xx. */
export function expectOutageAtMost(answers: readonly Answer[]): void {
  for (const { status, headers, text } of answers) {
    expect(status, text).to.be.oneOf([200, 201, 503]);
    if (status === 503) expect(Number(headers['retry-after']), text).to.be.greaterThan(0);
  }
}
