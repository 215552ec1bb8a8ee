import type { Tool } from '../tool.ts';
import { act } from './act.ts';
import { agentResult, askAgent, runRecipe } from './agents.ts';
import { closeBrowser, listBrowsers, listProfiles, openBrowser } from './browsers.ts';
import { extract } from './extract.ts';
import { files, savePage } from './keeping.ts';
import { look } from './look.ts';
import { handOver, signIn } from './people.ts';

/** Every tool, in listing order. Names and arguments are as stable as routes. */
export const tools: readonly Tool[] = [
  openBrowser,
  look,
  act,
  extract,
  savePage,
  files,
  signIn,
  runRecipe,
  askAgent,
  agentResult,
  handOver,
  closeBrowser,
  listBrowsers,
  listProfiles,
];
