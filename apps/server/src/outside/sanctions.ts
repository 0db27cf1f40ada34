import { readFileSync, statSync } from 'node:fs'
import type { Logger } from 'pino'

/** Reports whether an address, in display form, must not be paid. */
export type IsSanctioned = (address: string) => boolean

/** Addresses in hex differ in case only by their checksum; those in base58 differ in case. */
const normal = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address)

/**
 * Reads the operator's list of addresses that are not paid on any chain: one a line, `#` begins a comment. A file that
 * changes is read again; while it cannot be read, the list stays as it was. Without a path no address is listed.
 * @throws Error when the file cannot be read at first, or a line is longer than an address
 */
export function makeSanctionsCheck(path: string, log: Pick<Logger, 'error'>): IsSanctioned {
  if (path === '') return () => false
  const version = () => {
    const { mtimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${size} ${ino}`
  }
  let known = ''
  let listed = new Set<string>()
  const read = () => {
    const now = version()
    if (now === known) return
    const lines = readFileSync(path, 'utf8').split(/\r?\n/)
    const entries = lines.map(line => line.replace(/#.*/, '').trim())
    const wrong = entries.findIndex(each => !/^[0-9A-Za-z:]{0,128}$/.test(each))
    if (wrong >= 0) throw new Error(`line ${wrong + 1} of ${path} is not an address`)
    listed = new Set(entries.filter(Boolean).map(normal))
    known = now
  }
  try {
    read()
  } catch (error) {
    throw new Error(`the list of sanctioned addresses cannot be used: ${(error as Error).message}`)
  }
  return address => {
    try {
      read()
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'the list of sanctioned addresses was not read again')
    }
    return listed.has(normal(address))
  }
}
