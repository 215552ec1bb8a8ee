import { writeFileSync } from 'node:fs';
import { generatedFiles } from '../../../contracts/client/generate/index.ts';
import { configurationPage } from '../../config/index.ts';
import { observabilityFiles } from '../../deploy/observability/files.ts';

/**
 * Writes everything generated from tables in the code: pages, alert rules, dashboards, and the tables and types of the client.
 */
const pages = { 'docs/configuration.md': configurationPage() };
for (const [path, text] of Object.entries(pages)) writeFileSync(path, text);
for (const [name, text] of Object.entries(generatedFiles()))
  writeFileSync(`contracts/client/generated/${name}`, text);
for (const [name, text] of Object.entries(observabilityFiles()))
  writeFileSync(`infra/deploy/observability/${name}`, text);
