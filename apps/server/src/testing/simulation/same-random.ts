import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Random } from '@coffer/chains/fake/random.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'

/**
 * Makes random ids and secrets of this process those of a seed, and its clocks that of `seconds`, until the end of the
 * scope.
 */
export function sameRandom(scope: Scope, random: Random, seconds: () => number): void {
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => random.below(256)))
  const faked = {
    randomBytes: bytes,
    randomInt: (...args: number[]) =>
      args.length > 1 ? args[0]! + random.below(args[1]! - args[0]!) : random.below(args[0]!),
    randomUUID: () => {
      const hex = bytes(16).toString('hex')
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join(
        '-',
      )
    },
  }
  const real = { randomBytes: crypto.randomBytes, randomInt: crypto.randomInt, randomUUID: crypto.randomUUID }
  const now = Date.now
  const mathRandom = Math.random
  const elapsed = performance.now
  Object.assign(crypto, faked)
  syncBuiltinESMExports()
  Date.now = () => seconds() * 1_000
  Math.random = random.next
  performance.now = Date.now
  scope.after(() => {
    Object.assign(crypto, real)
    syncBuiltinESMExports()
    Date.now = now
    Math.random = mathRandom
    performance.now = elapsed
  })
}
