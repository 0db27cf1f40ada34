import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Gate } from './gate.ts'

/**
 * Hashes passwords with argon2id (RFC 9106) into PHC strings. Callers with different `turn` wait in turn for each
 * other.
 */
export interface Passwords {
  hash: (password: string, turn: string) => Promise<string>
  /** Without a hash, does the same amount of work and returns false, so that timing reveals nothing. */
  verify: (hash: string | null, password: string, turn: string) => Promise<boolean>
}

/** `memory` in KiB. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** Keeps a flood of sign-ins below 80 MB. */
const limits = { waitingMax: 10, allWaiting: 100 }
/** Hashes at once: three leave a thread for other work, and a processor stays with merchants. */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))

const run = promisify(argon2)
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Makes a hasher with a cost (by default 19 MiB, two passes). A few hashes run at once, and ten of one caller wait. A
 * full queue is refused with `busy`.
 */
export function makePasswords(
  cost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 },
  all = atOnce,
): Passwords {
  const gate = new Gate({ all, ...limits })
  const phc = (nonce: Buffer, tag: Buffer) =>
    `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  // A dummy hash that no password matches. Comparing with it takes as long as with a real one.
  const nobody = phc(randomBytes(16), randomBytes(32))
  return {
    async hash(password, turn) {
      const nonce = randomBytes(16)
      return phc(
        nonce,
        await gate.run(turn, () => run('argon2id', { message: password, nonce, tagLength: 32, ...cost })),
      )
    },
    async verify(hash, password, turn) {
      const [, m, t, p, nonce = '', tag = ''] = form.exec(hash ?? nobody) ?? []
      if (!m) throw new Error('a stored password hash is not in the PHC form')
      const wanted = Buffer.from(tag, 'base64')
      const found = await gate.run(turn, () =>
        run('argon2id', {
          message: password,
          nonce: Buffer.from(nonce, 'base64'),
          memory: Number(m),
          passes: Number(t),
          parallelism: Number(p),
          tagLength: wanted.length,
        }),
      )
      return timingSafeEqual(found, wanted) && hash !== null
    },
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')
