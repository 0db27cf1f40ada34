import { transferData } from '@coffer/chains/jsonrpc/calls.ts'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { scope } from './figure.ts'

/** Transactions per request to the node. */
const batch = 100
const amount = 10_000_000n

/** A local node whose blocks each contain many token transfers, each in its own transaction. */
export interface ScanChain {
  url: string
  token: string
  /** First and last block with transfers. */
  first: number
  last: number
  /** Mines another block of transfers, and all but the last of its confirmations. */
  addBlock: () => Promise<void>
  mine: (blocks: number) => Promise<void>
}

/**
 * Mines the blocks and the confirmations of the last one.
 * @param receiver the receiver of the i-th transfer of the n-th block, both from 0
 */
export async function makeScanChain(
  here: ReturnType<typeof scope>,
  of: { blocks: number; perBlock: number; confirmations: number; receiver: (block: number, i: number) => string },
): Promise<ScanChain> {
  const { url } = await withAnvil(here)
  const { call, token, payer, mine } = await makeWorld(url)
  await call('evm_setBlockGasLimit', '0x40000000')
  await mine(1)
  const first = Number(await call<string>('eth_blockNumber')) + 1
  const transaction = (to: string) => ({
    from: payer,
    to: token,
    gas: '0x1d4c0',
    data: transferData(to, amount),
  })
  let made = 0
  const transfers = async () => {
    for (let from = 0; from < of.perBlock; from += batch) {
      const body = Array.from({ length: Math.min(batch, of.perBlock - from) }, (_, i) => ({
        jsonrpc: '2.0',
        id: i,
        method: 'eth_sendTransaction',
        params: [transaction(of.receiver(made, from + i))],
      }))
      const headers = { 'content-type': 'application/json' }
      const answers = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
      const refused = (answers as { error?: { message: string } }[]).find(answer => answer.error)
      if (refused) throw new Error(`the node refused a transaction: ${refused.error?.message}`)
    }
    made++
    await mine(1)
  }
  for (let block = 0; block < of.blocks; block++) await transfers()
  const last = first + of.blocks - 1
  const head = Number(await call<string>('eth_blockNumber'))
  if (head !== last) throw new Error(`the last block is ${head}, not ${last}`)
  await mine(of.confirmations)
  const addBlock = async () => {
    await transfers()
    await mine(of.confirmations - 2)
  }
  return { url, token, first, last, addBlock, mine }
}
