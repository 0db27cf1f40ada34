import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** Window of the daily limits (s). */
export const DAY_SECONDS = 86_400
/** Retention of entries (s): far longer than a nonce could still be requested again. */
const RETENTION = 30 * DAY_SECONDS

/**
 * What a wallet signed for a nonce or, with purpose `fee`, the highest fee signed for it. `at` is in Unix seconds;
 * `intent` identifies the transaction without its fees. `account` is the sweeper, or the index of the deposit address
 * that pays a fee; without it the hot wallet signed.
 */
export type SigningRecordEntry = {
  at: number
  chain: string
  nonce: number
  purpose: string
  intent: string
  amount: string
  account?: 'sweeper' | number
  /** Of a transaction without a nonce: its id, and the time after which no block may contain it (Unix seconds). */
  txid?: string
  until?: number
  /** Releases by passkeys that were used up. Such an entry is never dropped, nor is that of a proof. */
  releases?: string[]
  /** Payments that no passkey released, where the policy limits those: receivers and base units. */
  unreleased?: UnreleasedPayments
}

/** Receivers, in stored form, and the base units paid to each without a release by a passkey. */
export type UnreleasedPayments = readonly (readonly [to: string, amount: string])[]

/**
 * The signing record: an append-only file of what the wallets signed. An entry is flushed to disk before its signature
 * is returned, so that neither a crash nor a compromised server can evade the limits.
 */
export class SigningRecord {
  readonly #descriptor: number
  readonly #byNonce = new Map<string, SigningRecordEntry>()
  /** Entries of the last 24 hours, oldest first. */
  #recent: SigningRecordEntry[]
  /** Key of the entry that used up a release. */
  readonly #releases = new Map<string, string>()
  #torn = false
  #turn: Promise<unknown> = Promise.resolve()

  /** Opens the file and drops expired entries. `now` is in Unix seconds. */
  constructor(path: string, now: number) {
    if (existsSync(path)) {
      // An incomplete last line was never acknowledged, so nothing was signed for it.
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      for (const line of lines) {
        const entry = JSON.parse(line) as SigningRecordEntry
        if (entry.at > now - RETENTION || entry.releases || entry.purpose === 'proof') this.#keep(entry)
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

  /** The last record that an account signed for a nonce, if any. */
  signedAt(of: Pick<SigningRecordEntry, 'chain' | 'nonce' | 'account'>): SigningRecordEntry | undefined {
    return this.#byNonce.get(keyOf({ ...of, purpose: '' }))
  }

  /** The highest fee signed for a nonce, and the part of it that counts in the 24 hours before `now`. */
  feeAt(of: Pick<SigningRecordEntry, 'chain' | 'nonce' | 'account'>, now: number): { fee: bigint; counted: bigint } {
    const entry = this.#byNonce.get(keyOf({ ...of, purpose: 'fee' }))
    const fee = BigInt(entry?.amount ?? 0)
    return { fee, counted: entry && entry.at > now - DAY_SECONDS ? fee : 0n }
  }

  /** Base units signed for a purpose on a chain in the 24 hours before `now`. */
  spent(chain: string, purpose: string, now: number): bigint {
    this.#recent = this.#recent.filter(entry => entry.at > now - DAY_SECONDS)
    let sum = 0n
    for (const entry of this.#recent) {
      if (entry.chain === chain && entry.purpose === purpose) sum += BigInt(entry.amount)
    }
    return sum
  }

  /** Base units signed in the 24 hours before `now`, by chain and purpose. */
  sums(now: number): { chain: string; purpose: string; amount: bigint }[] {
    const recent = this.#recent.filter(entry => entry.at > now - DAY_SECONDS)
    return [...Map.groupBy(recent, each => `${each.chain} ${each.purpose}`).values()].map(all => ({
      chain: all[0]!.chain,
      purpose: all[0]!.purpose,
      amount: all.reduce((sum, each) => sum + BigInt(each.amount), 0n),
    }))
  }

  /** Payments of an asset on a chain without a release in the 24 hours before `now`. */
  unreleased(chain: string, asset: string, now: number): UnreleasedPayments {
    const isCounted = (entry: SigningRecordEntry) =>
      entry.at > now - DAY_SECONDS && entry.chain === chain && entry.purpose === asset
    return this.#recent.filter(isCounted).flatMap(entry => entry.unreleased ?? [])
  }

  /**
   * Runs work that reads the record, decides and adds to it, after all such work before it. Limits hold for requests
   * sent together only because each is recorded before the next one is read.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  /**
   * Appends an entry and flushes it to disk.
   * @throws RecordFailed; nothing may be signed then
   */
  add(entry: SigningRecordEntry): void {
    try {
      this.#append(entry)
    } catch (cause) {
      throw new SigningRecordFailed('the signing record could not be written; restart the signer', { cause })
    }
    // A higher fee or a later attempt replaces the earlier one: only one transaction per nonce is ever mined.
    const before = this.#byNonce.get(keyOf(entry))
    this.#recent = [...this.#recent.filter(each => each !== before), entry]
    this.#keep(entry)
  }

  #append(entry: SigningRecordEntry): void {
    if (this.#torn) throw new Error('the signing record ends in an incomplete line')
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    // A failed write may leave half a line, after which nothing may be appended.
    this.#torn = true
    if (writeSync(this.#descriptor, line) !== line.length) throw new Error('the disk of the signing record is full')
    fsyncSync(this.#descriptor)
    this.#torn = false
  }

  /** Whether a release was used up for a nonce, other than that of `of`. */
  isUsed(release: string, of?: Pick<SigningRecordEntry, 'chain' | 'nonce' | 'account'>): boolean {
    const key = this.#releases.get(release)
    return key !== undefined && !(of && key === keyOf({ ...of, purpose: '' }))
  }

  #keep(entry: SigningRecordEntry): void {
    this.#byNonce.set(keyOf(entry), entry)
    for (const release of entry.releases ?? []) this.#releases.set(release, keyOf(entry))
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** The signing record could not be written. */
export class SigningRecordFailed extends Error {
  override name = 'SigningRecordFailed'
}

function keyOf({
  chain,
  nonce,
  purpose,
  account,
}: Pick<SigningRecordEntry, 'chain' | 'nonce' | 'purpose' | 'account'>): string {
  return `${chain} ${purpose === 'fee' ? 'fee' : 'intent'} ${account ?? 'hot'} ${nonce}`
}
