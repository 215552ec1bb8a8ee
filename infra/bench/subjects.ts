import { emmettCommand, emmettCommandCached } from './emmett-command.ts';
import { emmettRebuild } from './emmett-rebuild.ts';
import { appendThroughStore } from './r1-append.ts';
import { commandWithCache, commandWithoutCache } from './r2-command.ts';
import { httpCommand } from './r3-http-command.ts';
import { everyPath, validatedRoute } from './r4-validation.ts';
import { rebuild } from './r5-rebuild.ts';
import { rebuildOneByOne } from './r5b-one-by-one.ts';
import { projectionWrite } from './r6-write.ts';
import { readById } from './r14-read.ts';
import { readLatency } from './r15-read-latency.ts';
import { longList } from './r18-list.ts';
import { readGrowth, sessionGrowth } from './growth/reads.ts';
import { commandOnLongStream } from './r10-long-stream.ts';
import { racersOnSessions } from './r17-racers.ts';
import type { Subject } from './subject.ts';

/** Every subject of `npm run bench`, in the order of the targets' table. */
export const subjects: readonly Subject[] = [
  appendThroughStore,
  commandWithoutCache,
  commandWithCache,
  httpCommand,
  validatedRoute,
  everyPath,
  rebuild,
  rebuildOneByOne,
  projectionWrite,
  readById,
  readLatency,
  commandOnLongStream,
  racersOnSessions,
  emmettCommand,
  emmettCommandCached,
  emmettRebuild,
  longList,
  readGrowth,
  sessionGrowth,
];
