import type { BlockRef } from '../chain.ts'

/** One movement within a transaction. `token` null is the native coin. */
export type FakeMovement = { token: string | null; from: string; to: string; amount: bigint }

/** A transaction as the fake keeps it. A reverted one moves nothing. */
export type FakeTransaction = {
  txid: string
  from: string
  /** Null when its sender's nonces are not counted. */
  nonce: number | null
  status: 'success' | 'reverted'
  movements: FakeMovement[]
}

export type FakeBlock = BlockRef & {
  transactions: FakeTransaction[]
  /** Index of the first log: other people's logs come before, and not the same number after a reorg. */
  firstLog: number
}

/** Balances and nonces after the blocks given. Money comes out of nothing, as for a payer nobody watches. */
export class FakeLedger {
  readonly #balances = new Map<string, bigint>()
  readonly #nonces = new Map<string, number>()

  /** Adds a block's transactions. */
  apply(block: FakeBlock): void {
    this.#each(block, 1)
  }

  /** Takes them away again. */
  undo(block: FakeBlock): void {
    this.#each(block, -1)
  }

  balance(token: string | null, address: string): bigint {
    return this.#balances.get(`${token} ${address}`) ?? 0n
  }

  nonce(address: string): number {
    return this.#nonces.get(address) ?? 0
  }

  #each(block: FakeBlock, sign: 1 | -1): void {
    for (const { from, nonce, status, movements } of block.transactions) {
      if (nonce !== null) this.#nonces.set(from, this.nonce(from) + sign)
      if (status === 'reverted') continue
      for (const { token, from, to, amount } of movements) {
        this.#add(token, from, -amount * BigInt(sign))
        this.#add(token, to, amount * BigInt(sign))
      }
    }
  }

  #add(token: string | null, address: string, amount: bigint): void {
    this.#balances.set(`${token} ${address}`, this.balance(token, address) + amount)
  }
}
