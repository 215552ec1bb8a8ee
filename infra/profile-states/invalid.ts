/** The archive was not made by `packState`, is damaged, or exceeds a limit. */
export class StateArchiveInvalid extends Error {
  override readonly name = 'StateArchiveInvalid';
}
