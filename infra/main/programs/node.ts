import { runRole } from '../roles/run-role.ts';
import { node } from '../roles/node.ts';

runRole('node', node);
