import { recordContracts, type RecordName } from '../../contracts/records.ts';
import { recordNouns } from '../../domain/catalogue.ts';
import { recordReadModel } from '../engine/record-read-model.ts';

/** The records of every noun, by its name. */
export const recordModels = Object.fromEntries(
  recordContracts.map(({ name, kind }) => [name, recordReadModel(name, kind, recordNouns[name].record)]),
) as Readonly<Record<RecordName, ReturnType<typeof recordReadModel>>>;
