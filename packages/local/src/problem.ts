/**
 * A fault that whoever runs Coffer can mend: one clear line that says what is wrong and what to do.
 * Whoever starts a process prints the message alone, without a stack, and exits with 1.
 */
export class Problem extends Error {
  override name = 'Problem'
}

/** Gives the `code` of a system error (`EACCES`, `ENOSPC`, ...), or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * Turns a failure to write under `folder` into a Problem.
 * Takes the error and the folder it happened in; gives a Problem for a full, read-only or forbidden folder,
 * and the error itself for everything else.
 */
export function folderProblem(error: unknown, folder: string): unknown {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Problem(`The disk under ${folder} is full. Free some space, or point COFFER_DATA at another folder.`)
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return unwritable(folder)
    case 'ENOTDIR':
    case 'EEXIST':
      return new Problem(`${folder} is not a folder. Move it away, or point COFFER_DATA at another folder.`)
    case 'ENOENT':
      // What making a folder with those above it says on a read-only disk.
      if (error instanceof Error && 'syscall' in error && error.syscall === 'mkdir') return unwritable(folder)
      return error
    default:
      return error
  }
}

const unwritable = (folder: string) =>
  new Problem(`Cannot write to ${folder}. Make it writable, or point COFFER_DATA at another folder.`)
