export { connectPostgres, type Postgres, type PostgresOptions } from './connect.ts';
export { addDay, dayOf, keepDays, missingDayIn } from './days.ts';
export { migrate, type Migration } from './migrate.ts';
export { isPlanOutdated, isPostgresOutage, isTooSlow } from './outage.ts';
export { isoTimes } from './iso-times.ts';
export { inTransaction } from './transaction.ts';
export { withoutTimeouts } from './transaction.ts';
export { postgresMigrations } from './migrations.ts';
