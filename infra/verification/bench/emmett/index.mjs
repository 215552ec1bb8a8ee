export { CommandHandler } from '@event-driven-io/emmett';
export { getEventStoreDBEventStore } from '@event-driven-io/emmett-esdb';
export {
  getPostgreSQLEventStore,
  pongoSingleStreamProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql';
