import { runRole } from '../roles/run-role.ts';
import { processes } from '../roles/processes.ts';

runRole('processes', processes);
