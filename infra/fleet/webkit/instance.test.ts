import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { archetypeCatalogue, findArchetype } from '../../../contracts/archetypes.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { shareAttention } from './attention.ts';
import { usualBounds, watchBounds } from './bounds.ts';
import { noControlGroup } from './control-groups.ts';
import { startInstance } from './instance.ts';
import { debianBinaries } from './requirements.ts';

const logger = pino({ level: 'silent' });

/** A host that does nothing, and says that it has done everything. */
const idleHost = `#!${process.execPath}
const socket = require('node:net').connect(JSON.parse(process.env.SERVICE_HOST).socket);
socket.on('close', () => process.exit()).on('data', (line) => {
  const body = Buffer.from(JSON.stringify({ id: JSON.parse(line).id, result: null }));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  socket.write(Buffer.concat([head, body]));
});
`;

describe('a browser of which something does not end', () => {
  const start = (script: string, directory: string) => {
    const gjs = join(tempDir('host'), 'gjs');
    writeFileSync(gjs, script);
    chmodSync(gjs, 0o755);
    const device = findArchetype(archetypeCatalogue.default);
    if (!device) throw new Error('The catalogue has no default.');
    const group = { ...noControlGroup, remove: () => Promise.reject(new Error('It survives.')) };
    return startInstance({
      ...{ directory, device, logger, guard: createOutboundGuard(), attend: shareAttention() },
      ...{ sandbox: false, namespaces: false, ownPorts: new Set<number>(), startMs: 20_000 },
      binaries: { ...debianBinaries, gjs },
      bounds: watchBounds(usualBounds, logger),
      controlGroups: { bounds: new Set(), make: () => Promise.resolve(group) },
    });
  };
  const failure = (work: Promise<unknown>) => work.catch((error: unknown) => String(error));

  it('leaves no files', async () => {
    const directory = join(tempDir('webkit'), 'own');
    const instance = await start(idleHost, directory);
    expect(existsSync(directory)).to.equal(true);
    expect(await failure(instance.close())).to.include('Not all of');
    expect(existsSync(directory)).to.equal(false);
  });

  it('leaves none either if it did not start', async () => {
    const directory = join(tempDir('webkit'), 'own');
    expect(await failure(start('#!/bin/false', directory))).to.include('Not all of');
    expect(existsSync(directory)).to.equal(false);
  });
});
