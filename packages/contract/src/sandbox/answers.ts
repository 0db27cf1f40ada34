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

/** How an endpoint handled a scenario. */
export interface ScenarioReport {
  name: string
  /** In the language of the request. */
  title: string
  /** `broken`: the sandbox could not play it. */
  state: 'running' | 'handled' | 'failed' | 'broken'
  /** What was handed to the endpoint, with the HTTP status of its response (0 without one). */
  sent: { event: string; status: number; duration_ms: number; forged: boolean }[]
  /** What the status URL said at each step, null where it did not say it. */
  paid: (boolean | null)[]
  /** Why it failed, in the language of the request. */
  why: string
}
