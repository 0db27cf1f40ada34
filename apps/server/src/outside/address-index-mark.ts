import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, folderProblem, OperatorProblem } from '@coffer/local/problem.ts'

/**
 * How far each key tree was used, stored outside the database: after an older dump is restored in place, the database
 * alone would give the same addresses to other payers.
 */
export interface AddressIndexMark {
  /** The next unused index by kind of chain. */
  read: () => Record<string, number>
  /** Notes that all indexes below `next` are used. */
  raise: (kind: string, next: number) => void
}

/** The mark in the file `addresses.json` of a folder, which is created when it is first raised. */
export function makeFileAddressIndexMark(folder: string): AddressIndexMark {
  const path = join(folder, 'addresses.json')
  const read = (): Record<string, number> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return {}
      if (error instanceof SyntaxError)
        throw new OperatorProblem(`${path} is damaged. Delete it: the next start writes it anew.`)
      throw folderProblem(error, folder)
    }
  }
  return {
    read,
    raise(kind, next) {
      // Read each time: another server process may share the folder.
      const marks = read()
      if (next <= (marks[kind] ?? -1)) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(`${path}.${process.pid}`, `${JSON.stringify({ ...marks, [kind]: next })}\n`)
        renameSync(`${path}.${process.pid}`, path)
      } catch (error) {
        throw folderProblem(error, folder)
      }
    },
  }
}

/** A mark that is not stored: for the sandbox and for commands, whose addresses nobody pays to. */
export const unsavedAddressIndexMark: AddressIndexMark = { read: () => ({}), raise: () => {} }
