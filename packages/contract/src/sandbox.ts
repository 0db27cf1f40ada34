/** What the page /sandbox shows of the local chains; their routes are of the sandbox alone. */

/** What the wallet outside Coffer has of a token. */
export interface SandboxBalance {
  chain: string
  token: string
  amount: string
}

/** A transaction in a block, as a block explorer shows it. */
export interface SandboxTransaction {
  txid: string
  chain: string
  block: number
  confirmations: number
  /** Unix seconds. */
  time: number
  succeeded: boolean
  moves: { token: string; amount: string; from: string; to: string }[]
}
