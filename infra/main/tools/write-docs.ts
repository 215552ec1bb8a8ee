import { writeFileSync } from 'node:fs';
import { configurationPage } from '../../config/index.ts';

/** Writes the pages that are generated from tables in the code. */
const pages = { 'docs/configuration.md': configurationPage() };
for (const [path, text] of Object.entries(pages)) writeFileSync(path, text);
