import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { sessionsOf } from '../testing.ts';
import type { Driver } from './driver.ts';

const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
/** A driver whose browsers cannot be ended completely. */
const stubborn: Driver = {
  ...simulated,
  launch: async (...how) => ({
    ...(await simulated.launch(...how)),
    close: () => Promise.reject(new Error('A process stays.')),
  }),
};

describe('a session whose browser cannot be ended completely', () => {
  it('is removed with its files, and the failure is logged', async () => {
    const directories = { uploadsDir: tempDir('uploads'), capturesDir: tempDir('captures') };
    const files = () => Object.values(directories).map((directory) => readdirSync(directory));
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const sessions = sessionsOf(stubborn, { ...directories, logger });
    const session_id = toId('session', randomUUID());
    const dispatch_id = randomUUID();
    await sessions.create({ session_id, dispatch_id, archetype: archetypeCatalogue.default }, 'one');
    const file = { dispatch_id, name: 'a.txt', mime: 'text/plain', size: 2 };
    await sessions.putFile(session_id, file, Readable.from([Buffer.from('ok')]));
    const input = { kind: 'screenshot' as const, keep_as: toId('capture', randomUUID()) };
    await sessions.operate(session_id, { dispatch_id, operation: 'capture', input, timeout_ms: 5_000 });
    expect(files()).to.deep.equal([[session_id], [session_id]]);
    await sessions.destroy(session_id);
    expect(files()).to.deep.equal([[], []]);
    expect(sessions.list()).to.deep.equal([]);
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.include('A process stays.').and.include(session_id);
  });
});
