import { openPorts } from '../composition/ports.ts';
import { processes } from '../roles/processes.ts';
import { runRole } from '../roles/run-role.ts';

runRole('processes', async (context) => processes(await openPorts(context)));
