/** The archive is not one that `packState` makes, is damaged, or exceeds a limit. */
export class StateArchiveInvalid extends Error {
  override readonly name = 'StateArchiveInvalid';
}
