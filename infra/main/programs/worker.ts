import { openPorts } from '../composition/ports.ts';
import { worker } from '../roles/worker.ts';
import { runRole } from '../roles/run-role.ts';

runRole('worker', async (context) => worker(await openPorts(context)));
