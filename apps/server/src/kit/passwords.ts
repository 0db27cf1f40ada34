import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from './refusal.ts'

/** Hashes passwords with argon2id (RFC 9106) into PHC strings. */
export interface Passwords {
  hash: (password: string) => Promise<string>
  /** Without a hash, does the same amount of work and returns false, so that timing reveals nothing. */
  verify: (hash: string | null, password: string) => Promise<boolean>
}

/** `memory` in KiB. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** Keeps a flood of sign-ins below 80 MB and leaves threads for other work. */
const atOnceMax = 3
const waitingMax = 100

const run = promisify(argon2)
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Makes a hasher with a cost (by default 19 MiB, two passes). At most three hashes run at once. A full queue is refused
 * with `busy`.
 */
export function makePasswords(cost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }): Passwords {
  const slots = makeSlots()
  const phc = (nonce: Buffer, tag: Buffer) =>
    `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  // A dummy hash that no password matches. Comparing with it takes as long as with a real one.
  const nobody = phc(randomBytes(16), randomBytes(32))
  return {
    async hash(password) {
      const nonce = randomBytes(16)
      return phc(nonce, await slots(() => run('argon2id', { message: password, nonce, tagLength: 32, ...cost })))
    },
    async verify(hash, password) {
      const [, m, t, p, nonce = '', tag = ''] = form.exec(hash ?? nobody) ?? []
      if (!m) throw new Error('a stored password hash is not in the PHC form')
      const wanted = Buffer.from(tag, 'base64')
      const found = await slots(() =>
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

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function makeSlots() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnceMax) running++
    else if (waiting.length < waitingMax) await new Promise<void>(resolve => waiting.push(resolve))
    else throw new Refusal('busy')
    try {
      return await work()
    } finally {
      // The slot passes to the next waiter, so the count does not change.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
