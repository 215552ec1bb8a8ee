import type { Response } from 'express';
import type { Route } from '../../contracts/routes/index.ts';

/** What the edge keeps with a response while it is being made. */
interface Edge {
  requestId: string;
  /** Of the table, once one has matched. */
  route?: Route;
}

/** Express types its `locals` as anything; here they have a shape. */
export const edgeOf = (response: Response): Edge => response.locals as Edge;
