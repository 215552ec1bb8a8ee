import { expect } from 'chai';
import { processPortsOf } from '../../../../write-api/testing/processes.ts';
import { composeCommands } from '../../../main/composition/commands.ts';
import { composeProcesses } from '../../../main/composition/processes.ts';
import { startWholeService } from '../../security/whole-service.ts';
import { followed } from './n4-checkpoints.ts';

describe('N4', () => {
  it('waits for the types of events that the process managers follow', async () => {
    const service = await startWholeService();
    try {
      const { queues, ...others } = processPortsOf(service);
      const ports = { ...others, queues: { ...queues, mail: queues.timers } };
      const { managers } = composeProcesses(ports, composeCommands(ports));
      expect([...followed.processes]).to.have.members([...new Set(managers.flatMap(({ types }) => types))]);
    } finally {
      await service.close();
    }
  });
});
