import { runCompiled } from '../../main/bootstrap/compiled.mjs';

/** `event-store-child.mjs <bundle of event-store-child.ts> <directory> [port]` */
const [bundle] = process.argv.splice(2, 1);
runCompiled(bundle);
