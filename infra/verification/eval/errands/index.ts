import type { Errand } from '../task.ts';
import { bankErrands } from './bank.ts';
import { calendarErrands } from './calendar.ts';
import { catalogueErrands } from './catalogue.ts';
import { clubErrands } from './club.ts';
import { deskErrands } from './desk.ts';
import { directoryErrands } from './directory.ts';
import { museumErrands } from './museum.ts';
import { officeErrands } from './office.ts';
import { rentalErrands } from './rental.ts';
import { shopErrands } from './shop.ts';
import { strangersErrands } from './strangers.ts';

/** Tasks over several pages, on sites that no model has seen. */
export const errands: readonly Errand[] = [
  ...bankErrands,
  ...officeErrands,
  ...catalogueErrands,
  ...shopErrands,
  ...calendarErrands,
  ...deskErrands,
  ...museumErrands,
  ...directoryErrands,
  ...rentalErrands,
  ...clubErrands,
  ...strangersErrands,
];
