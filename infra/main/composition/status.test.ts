import { expect } from 'chai';
import { createNodeCommands } from '../../../commands/node/index.ts';
import { processPortsOf } from '../../../write-api/testing/processes.ts';
import { systemClock } from '../../platform/clock.ts';
import { startWholeService, type WholeService } from '../../verification/security/whole-service.ts';
import { until } from '../../verification/testbed/index.ts';
import { statusProcesses } from './status.ts';

describe('the probes of the service', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService({ config: { STATUS_PROBE_INTERVAL: 30_000 } });
  });
  after(() => service.close());

  it('find that sessions do not work while the only node drains', async () => {
    const { ports, staff } = service;
    const [probing] = statusProcesses(processPortsOf(service)).sweeps;
    const term = new AbortController();
    const round = async () => {
      await probing?.run(term.signal);
      const lines = (await ports.metrics.page()).text.split('\n');
      const countOf = (component: string, outcome: string) =>
        lines
          .filter((line) => line.startsWith('service_probes_total{'))
          .find((line) => line.includes(`"${component}"`) && line.includes(`"${outcome}"`))
          ?.split(' ')[1];
      return ['sessions', 'agent-sessions'].map((component) => [
        countOf(component, 'succeeded'),
        countOf(component, 'failed'),
      ]);
    };
    const nodes = createNodeCommands({ runner: staff.runner, clock: systemClock });
    const [node] = await until(async () => {
      const rows = await ports.registry.list();
      return rows.length > 0 && rows;
    });
    expect(await round()).to.deep.equal([
      ['1', '0'],
      ['1', '0'],
    ]);
    if (node) await nodes.drain(node.nodeId, staff.context());
    await until(async () => (await ports.registry.list())[0]?.draining);
    expect(await round()).to.deep.equal([
      ['1', '1'],
      ['1', '1'],
    ]);
  });
});
