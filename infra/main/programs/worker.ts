import { runRole } from '../roles/run-role.ts';
import { worker } from '../roles/worker.ts';

runRole('worker', worker);
