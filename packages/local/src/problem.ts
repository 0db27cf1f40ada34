/**
 * An error that the operator can fix. Its message is one line that says what is wrong and what to do; programs print it
 * without a stack trace and exit with 1.
 */
export class OperatorProblem extends Error {
  override name = 'OperatorProblem'
}

/** Returns the `code` of a system error (`EACCES`, `ENOSPC`, ...); undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * Converts an error that occurred in `folder` to a Problem if the disk is full or the folder is not writable; returns
 * any other error unchanged.
 */
export function folderProblem(error: unknown, folder: string): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new OperatorProblem(
        `The disk of ${folder} is full. Free some space, or set COFFER_DATA to another folder.`,
      )
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return unwritable(folder)
    case 'ENOTDIR':
    case 'EEXIST':
      return new OperatorProblem(`${folder} is not a folder. Move it away, or set COFFER_DATA to another folder.`)
    case 'ENOENT':
      // A recursive mkdir fails with ENOENT on a read-only disk.
      if (error instanceof Error && 'syscall' in error && error.syscall === 'mkdir') return unwritable(folder)
      return error
    default:
      return error
  }
}

const unwritable = (folder: string) =>
  new OperatorProblem(`Cannot write to ${folder}. Make it writable, or set COFFER_DATA to another folder.`)
