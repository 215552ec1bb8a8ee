export type State = 'well' | 'doubtful' | 'ill' | 'unchecked';

/** The result for one part of the installation. */
export interface Finding {
  readonly state: State;
  readonly says: string;
  /** Advice for the operator; absent if all is well, or was not checked. */
  readonly advice?: string;
}

export const well = (says: string): Finding => ({ state: 'well', says });
export const doubtful = (says: string, advice: string): Finding => ({ state: 'doubtful', says, advice });
export const ill = (says: string, advice: string): Finding => ({ state: 'ill', says, advice });

/** For parts of processes that only their supervisor knows. */
export const withoutSupervisor: Finding = {
  state: 'unchecked',
  says: 'not checked: no supervisor is running on this DATA_DIR',
};

/** A number with the singular or plural noun: "1 node", "2 nodes". */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
