import type { BlockRef } from '../chain.ts'

/** One transfer within a transaction. `token` null is the native coin. */
export type FakeMovement = { token: string | null; from: string; to: string; amount: bigint }

/** A transaction of the fake chain. A reverted one moves nothing. */
export type FakeTransaction = {
  txid: string
  status: 'success' | 'reverted'
  movements: FakeMovement[]
}

export type FakeBlock = BlockRef & {
  transactions: FakeTransaction[]
  /** Index of the first log: other contracts' logs come before it, and their number differs after a reorg. */
  firstLog: number
}

/** Balances after the applied blocks. Balances may become negative: payers are not funded. */
export class FakeLedger {
  readonly #balances = new Map<string, bigint>()

  /** Applies a block's transactions. */
  apply(block: FakeBlock): void {
    this.#each(block, 1)
  }

  /** Reverts a block's transactions. */
  undo(block: FakeBlock): void {
    this.#each(block, -1)
  }

  balance(token: string | null, address: string): bigint {
    return this.#balances.get(`${token} ${address}`) ?? 0n
  }

  #each(block: FakeBlock, sign: 1 | -1): void {
    for (const { status, movements } of block.transactions) {
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
