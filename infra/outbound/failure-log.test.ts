import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir } from '../verification/testbed/index.ts';
import { failureLog, linesPerMinute } from './failure-log.ts';
import { createOutboundGuard } from './guard.ts';
import { startFilteringProxy } from './proxy.ts';

interface Line {
  readonly host: string;
  readonly omitted: number;
}

describe('the log of connections that were not made', () => {
  let lines: Line[];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  beforeEach(() => void (lines = []));

  it('has the first of a minute, and then how many there were beside them', () => {
    let ms = 0;
    const fail = failureLog(logger, () => ms);
    for (ms = 0; ms < 59_000; ms += 59) fail(new Error('refused'), `host-${ms}`);
    expect(lines.map(({ host }) => host)).to.deep.equal(
      Array.from({ length: linesPerMinute }, (_, n) => `host-${59 * n}`),
    );
    ms = 60_000;
    fail(new Error('refused'), 'next');
    fail(new Error('refused'), 'after');
    expect(lines.slice(linesPerMinute).map(({ host, omitted }) => [host, omitted])).to.deep.equal([
      ['next', 1_000 - linesPerMinute],
      ['after', 0],
    ]);
  });

  it('is not filled by a page that asks for what is refused, nor by names that none can have', async () => {
    const path = join(tempDir('proxy'), 'sock');
    const proxy = await startFilteringProxy({ guard: createOutboundGuard(), logger, path });
    const isCutOff = async (host: string) => {
      const socket = connect(path).on('error', () => undefined);
      socket.write(`CONNECT ${host}:80 HTTP/1.1\r\nHost: site\r\n\r\n`);
      await once(socket.resume(), 'close');
    };
    await isCutOff(`${'long-name.'.repeat(1_000)}test`);
    expect(lines).to.deep.equal([]);
    for (let n = 0; n < 200; n += 1) await isCutOff(`10.0.0.${n}`);
    expect(lines).to.have.length(linesPerMinute);
    await proxy.close();
  });
});
