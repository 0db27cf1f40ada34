import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** Seconds over which the daily limit counts. */
const DAY = 86_400
/** Seconds for which entries are kept: well beyond the time in which a nonce could still be signed twice. */
const KEPT = 30 * DAY

/**
 * One payout of the hot wallet that was signed, or with the purpose `fee` the most that the transactions signed for a nonce
 * may cost. `at` is in unix seconds; `intent` says what for, fees left out. A fee's `account` is the index of the deposit
 * address that pays it; without one the hot wallet does.
 */
export type Entry = {
  at: number
  chain: string
  nonce: number
  purpose: string
  intent: string
  amount: string
  account?: number
}

/**
 * What the hot wallet signed, in a file of the signer's own. An entry is on the disk before its signature is given
 * out, so that neither a crash nor a lie of the server makes room below the limits.
 */
export class SignedRecord {
  readonly #descriptor: number
  readonly #byNonce = new Map<string, Entry>()
  /** Those of the last 24 hours, oldest first. */
  #recent: Entry[]
  #cut = false

  /** Opens the file, drops what is old, and takes over what is left. `now` is in unix seconds. */
  constructor(path: string, now: number) {
    if (existsSync(path)) {
      // A last line without its end was never acknowledged: nothing was signed for it.
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      for (const line of lines) {
        const entry = JSON.parse(line) as Entry
        if (entry.at > now - KEPT) this.#byNonce.set(keyOf(entry), entry)
      }
      const fresh = `${path}.new`
      const descriptor = openSync(fresh, 'w', 0o600)
      for (const entry of this.#byNonce.values()) writeSync(descriptor, `${JSON.stringify(entry)}\n`)
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(fresh, path)
    }
    this.#recent = [...this.#byNonce.values()]
    this.#descriptor = openSync(path, 'a', 0o600)
  }

  /** What this nonce was signed for, or undefined. */
  intentAt(chain: string, nonce: number): string | undefined {
    return this.#byNonce.get(keyOf({ chain, nonce, purpose: '' }))?.intent
  }

  /** The most that was signed to be paid for one nonce, and how much of it counts within the 24 hours before `now`. */
  feeAt(of: Pick<Entry, 'chain' | 'nonce' | 'account'>, now: number): { fee: bigint; counted: bigint } {
    const entry = this.#byNonce.get(keyOf({ ...of, purpose: 'fee' }))
    const fee = BigInt(entry?.amount ?? 0)
    return { fee, counted: entry && entry.at > now - DAY ? fee : 0n }
  }

  /** Base units signed for one purpose on one chain within the 24 hours before `now`. */
  spent(chain: string, purpose: string, now: number): bigint {
    this.#recent = this.#recent.filter(entry => entry.at > now - DAY)
    let sum = 0n
    for (const entry of this.#recent) {
      if (entry.chain === chain && entry.purpose === purpose) sum += BigInt(entry.amount)
    }
    return sum
  }

  /** Puts an entry on the disk. Throws when it cannot, and then nothing may be signed. */
  add(entry: Entry): void {
    if (this.#cut) throw new Error('the record of what was signed is cut; start the signer again')
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    // Until all of it is on the disk it may be half a line, after which nothing may be written.
    this.#cut = true
    if (writeSync(this.#descriptor, line) !== line.length) throw new Error('the disk under the record is full')
    fsyncSync(this.#descriptor)
    this.#cut = false
    // A dearer fee takes the place of the one before: only one of the transactions of a nonce is ever paid.
    const before = this.#byNonce.get(keyOf(entry))
    this.#recent = [...this.#recent.filter(each => each !== before), entry]
    this.#byNonce.set(keyOf(entry), entry)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

function keyOf({ chain, nonce, purpose, account }: Pick<Entry, 'chain' | 'nonce' | 'purpose' | 'account'>): string {
  return purpose === 'fee' ? `${chain} fee ${account ?? 'hot'} ${nonce}` : `${chain} ${nonce}`
}
