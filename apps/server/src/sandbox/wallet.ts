import { type ChainDefinition, chainAdapters, ethereum } from '@coffer/chains'
import { Token } from '@coffer/chains/evm/generated/contracts.ts'
import { parseDecimal } from '@coffer/contract'
import { amount, integerBetween, requiredText, tradeNo } from '@coffer/contract/kit/schemas.ts'
import { maxReorgBlocks } from '@coffer/local/anvil.ts'
import type { FastifyInstance } from 'fastify'
import type { Address } from 'viem'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { listEnabledAssets } from '../domains/chains/assets.ts'
import { chooseAsset } from '../domains/payments/choose-asset.ts'
import { all, first } from '../kit/db.ts'
import { createFieldRefusal, Refusal } from '../kit/refusal.ts'
import { type AnvilClient, createAnvilClient } from './chains.ts'

/** A transfer of a payer's wallet, in base units. `tokenContract` is null for the native coin. */
export interface SandboxTransfer {
  chainId: string
  tokenContract: string | null
  to: string
  amount: bigint
}

/** The payer's wallet and the controls of the local chains. */
export interface SandboxWallet {
  spend: (spend: SandboxTransfer) => Promise<{ txid: string }>
  mine: (chainId: string, blocks: number) => Promise<void>
  reorg: (chainId: string, depth: number) => Promise<void>
  /** Replaces a block and all later ones by empty ones, and mines one more. */
  revert: (chainId: string, block: number) => Promise<void>
  chainIds: string[]
}

/**
 * Makes a wallet for the local chains at the given node URLs. Blocks carry the time of `clock` (Unix seconds), so that
 * a demo can play its past. Calls on a chain run one at a time, because block times must increase.
 */
export function makeSandboxWallet(
  chains: { definition: ChainDefinition; url: string }[],
  clock: () => number,
): SandboxWallet {
  const nodes = new Map(
    chains.map(({ definition, url }) => {
      const client = createAnvilClient(url)
      const first = client.getBlock().then(
        block => Number(block.number),
        () => 0,
      )
      return [definition.id, { client, first, queue: Promise.resolve(), last: 0 }]
    }),
  )
  /**
   * Replaces the last blocks by empty ones. Anvil loses every contract when it goes back to a block from before it was
   * started.
   */
  const replace = async (chainId: string, client: AnvilClient, count: (last: number) => number, field: string) => {
    const last = Number((await client.getBlock()).number)
    const most = Math.min(maxReorgBlocks, last - ((await nodes.get(chainId)?.first) ?? last))
    const depth = count(last)
    if (depth > most) {
      const en = `the last ${most} blocks of ${chainId}, mined since the start`
      throw createFieldRefusal(field, en, `${chainId} 启动后的最近 ${most} 个区块`)
    }
    await client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
  }
  const onChain = <T>(id: string, work: (client: AnvilClient) => Promise<T>): Promise<T> => {
    const node = nodes.get(id)
    if (!node) throw new Refusal('currency_not_exist')
    const result = node.queue.then(async () => {
      const { timestamp } = await node.client.getBlock()
      // The block of the last call may not be mined yet.
      node.last = Math.max(clock(), Number(timestamp) + 1, node.last + 1)
      await node.client.setNextBlockTimestamp({ timestamp: BigInt(node.last) })
      return work(node.client)
    })
    node.queue = result.then(
      () => {},
      () => {},
    )
    return result
  }
  return {
    chainIds: [...nodes.keys()],
    spend: ({ chainId, tokenContract, to, amount }) =>
      onChain(chainId, async client => {
        const [, payer] = await client.getAddresses()
        const shared = { account: payer as Address, chain: null } as const
        const txid = tokenContract
          ? await client.writeContract({
              ...shared,
              address: tokenContract as Address,
              abi: Token.abi,
              functionName: 'transfer',
              args: [to as Address, amount],
            })
          : await client.sendTransaction({ ...shared, to: to as Address, value: amount })
        return { txid }
      }),
    mine: (chainId, blocks) => onChain(chainId, client => client.mine({ blocks })),
    reorg: (chainId, depth) => onChain(chainId, client => replace(chainId, client, () => depth, 'depth')),
    revert: (chainId, block) =>
      onChain(chainId, async client => {
        await replace(chainId, client, last => last - block + 1, 'trade_no')
        await client.mine({ blocks: 1 })
      }),
  }
}

const payBody = z.strictObject({
  trade_no: tradeNo.optional(),
  address: requiredText(128).optional(),
  amount: amount.optional(),
  chain: z.string().optional(),
  token: z.string().optional(),
})
const mineBody = z.strictObject({ blocks: integerBetween(1, 1000).default(1), chain: z.string().optional() })
const reorgBody = z.strictObject({ depth: integerBetween(1, maxReorgBlocks), chain: z.string().optional() })
const withInput = { reportInput: true }

const readPayment = first(
  'sandbox-payment',
  `select p.chain_id, p.address, p.amount, p.paid_amount, p.pending_amount, a.symbol, a.contract, a.decimals
   from payments p left join assets a on a.id = p.asset_id where p.trade_no = $1`,
)

/** Mounts `POST /sandbox/pay`, `/sandbox/mine` and `/sandbox/reorg`. */
export function mountSandboxWallet(app: FastifyInstance, deps: Deps, wallet: SandboxWallet): void {
  app.post('/sandbox/pay', async request => {
    const { trade_no, address: to, amount, ...wanted } = payBody.parse(request.body, withInput)
    if (to !== undefined) return { code: 200, data: await sendTo(deps, wallet, { to, amount, ...wanted }) }
    if (trade_no === undefined) throw new Refusal('bad_trade_no', { field: 'trade_no' })
    return { code: 200, data: await payFromSandboxWallet(deps, wallet, { trade_no, amount, ...wanted }) }
  })
  app.post('/sandbox/mine', async request => {
    const { blocks, chain } = mineBody.parse(request.body ?? {}, withInput)
    await Promise.all((chain ? [chain] : wallet.chainIds).map(id => wallet.mine(id, blocks)))
    return { code: 200, data: {} }
  })
  app.post('/sandbox/reorg', async request => {
    const { depth, chain } = reorgBody.parse(request.body, withInput)
    await Promise.all((chain ? [chain] : wallet.chainIds).map(id => wallet.reorg(id, depth)))
    return { code: 200, data: {} }
  })
}

/**
 * Pays a payment from the payer's wallet: by default what is left to pay. Chooses chain and token where nobody has;
 * what is not of the chosen ones is sent as well, as payers do, and needs an amount.
 */
export async function payFromSandboxWallet(
  deps: Deps,
  wallet: SandboxWallet,
  { trade_no, amount, ...wanted }: Wanted & { trade_no: string; amount?: string | undefined },
): Promise<{ txid: string }> {
  const chosen = await readPayment(deps.pool, trade_no)
  if (!chosen) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  if (!chosen.address) await chooseAsset(deps, { tradeNo: trade_no, assetId: (await wantedAsset(deps, wanted)).id })
  const row = chosen.address ? chosen : (await readPayment(deps.pool, trade_no))!
  const { chain_id, address, decimals, symbol } = row
  if (!chain_id || !address || decimals === null || !symbol)
    throw new Refusal('token_not_chosen', { field: 'trade_no' })
  const { chain = chain_id, token = symbol } = wanted
  if (chain !== chain_id || token !== symbol) return sendTo(deps, wallet, { to: address, amount, chain, token })
  const rest = row.amount - row.paid_amount - row.pending_amount
  const units = amount === undefined ? rest : parseDecimal(amount, decimals)
  if (units === null || units <= 0n) throw new Refusal('bad_amount', { field: 'amount' })
  return wallet.spend({ chainId: chain_id, tokenContract: row.contract, to: address, amount: units })
}

type Wanted = { chain?: string | undefined; token?: string | undefined }

/** The asset to pay in: by default USDT, on Ethereum where it is offered. */
async function wantedAsset(deps: Deps, { chain, token = 'USDT' }: Wanted) {
  const offered = await listEnabledAssets(deps.pool)
  const fit = offered.filter(({ chain_id, symbol }) => (chain ?? chain_id) === chain_id && token === symbol)
  const asset = fit.find(({ chain_id }) => chain_id === ethereum.id) ?? fit[0]
  if (!asset) throw new Refusal('currency_not_supported', { field: chain === undefined ? 'token' : 'chain' })
  return asset
}

/** Sends to any address, such as a fixed one. */
async function sendTo(
  deps: Deps,
  wallet: SandboxWallet,
  { to, amount, ...wanted }: Wanted & { to: string; amount?: string | undefined },
) {
  const { chain_id, kind, contract, decimals } = await wantedAsset(deps, wanted)
  const address = chainAdapters[kind].address.parse(to.trim())
  if (address === null) throw new Refusal('bad_address', { field: 'address' })
  const units = parseDecimal(amount ?? '', decimals)
  if (units === null || units <= 0n) throw new Refusal('bad_amount', { field: 'amount' })
  return wallet.spend({ chainId: chain_id, tokenContract: contract, to: address, amount: units })
}

const waitingChains = all(
  'sandbox-waiting',
  `select chain_id from deposits where state = 'seen' union select chain_id from outgoing where state in ('sent', 'in_block')`,
)

/**
 * Mines one block on each chain that has an unconfirmed deposit, or a transaction of ours that is not final. Returns
 * whether one has.
 */
export async function mineForPending(deps: Deps, wallet: SandboxWallet): Promise<boolean> {
  const rows = await waitingChains(deps.pool)
  await Promise.all(rows.map(row => wallet.mine(row.chain_id, 1)))
  return rows.length > 0
}
