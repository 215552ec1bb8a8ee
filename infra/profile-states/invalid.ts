/** The archive was not made by `packState`, is damaged, or exceeds a limit. */
export class StateArchiveInvalid extends Error {
  override readonly name: string = 'StateArchiveInvalid';
}

/** The archive, or the directory to pack, exceeds a limit. */
export class StateArchiveTooLarge extends StateArchiveInvalid {
  override readonly name = 'StateArchiveTooLarge';
}
