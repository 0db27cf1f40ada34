import { after } from 'node:test'
import type { Scope } from './postgres.ts'

/** The scope of the suite, or of the file, in whose body it is called: ends in reverse what its tests share. */
export function suiteScope(): Scope {
  const ends: (() => Promise<void> | void)[] = []
  after(async () => {
    for (const end of ends.reverse()) await end()
  })
  return { after: end => void ends.push(end) }
}
