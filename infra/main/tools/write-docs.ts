import { writeFileSync } from 'node:fs';
import { generatedFiles } from '../../../contracts/client/generate/index.ts';
import { configurationPage } from '../../config/index.ts';

/** Writes what is generated from tables in the code: pages, and the tables and types of the client. */
const pages = { 'docs/configuration.md': configurationPage() };
for (const [path, text] of Object.entries(pages)) writeFileSync(path, text);
for (const [name, text] of Object.entries(generatedFiles()))
  writeFileSync(`contracts/client/generated/${name}`, text);
