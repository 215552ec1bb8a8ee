export type State = 'well' | 'doubtful' | 'ill';

/** What was found of one part of the installation. */
export interface Finding {
  readonly state: State;
  readonly says: string;
  /** What an operator does about it; none where all is well. */
  readonly advice?: string;
}

export const well = (says: string): Finding => ({ state: 'well', says });
export const doubtful = (says: string, advice: string): Finding => ({ state: 'doubtful', says, advice });
export const ill = (says: string, advice: string): Finding => ({ state: 'ill', says, advice });

/** The first word where one thing is, else the second: "1 node", "2 nodes". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
