export type State = 'well' | 'doubtful' | 'ill';

/** The result for one part of the installation. */
export interface Finding {
  readonly state: State;
  readonly says: string;
  /** Advice for the operator; absent if all is well. */
  readonly advice?: string;
}

export const well = (says: string): Finding => ({ state: 'well', says });
export const doubtful = (says: string, advice: string): Finding => ({ state: 'doubtful', says, advice });
export const ill = (says: string, advice: string): Finding => ({ state: 'ill', says, advice });

/** A number with the singular or plural noun: "1 node", "2 nodes". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
