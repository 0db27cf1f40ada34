import { kinds } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { readChain } from '../domains/chains/store.ts'
import { cancelNonce } from '../domains/outgoing/cancel-nonce.ts'
import { endTaken } from '../domains/outgoing/settle.ts'
import { allWallets, walletOfRole, walletsUnderWay } from '../domains/outgoing/store.ts'
import { haltByOperator, resumeWallet } from '../domains/outgoing/wallets.ts'
import { refundOwner } from '../domains/refunds/owner.ts'
import { sweepOwner } from '../domains/sweeps/owner.ts'
import { sweepStatus } from '../domains/sweeps/store.ts'
import { sweepNow } from '../domains/sweeps/sweep-now.ts'
import { withdrawalOwner } from '../domains/withdrawals/owner.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table } from './command.ts'

/** Seconds for which a sweep that failed is listed. */
const failedFor = 86_400

const ago = (now: number, time: number | null) => (time === null ? '-' : `${now - time} s`)

export const walletCommands: Command[] = [
  {
    usage: 'wallet status',
    help: 'show the wallets of each chain: next nonce, transactions under way, what they wait for',
    async run({ pool, clock }) {
      const [wallets, underWay] = await Promise.all([allWallets(pool), walletsUnderWay(pool)])
      if (wallets.length === 0) return 'There is no wallet yet: the server stores it once the signer answers.'
      const rows = wallets.map(({ chain_id, role, address, next_nonce, halted, waits }) => {
        const open = underWay.filter(each => each.chain_id === chain_id && each.from_address === address)
        const count = open.reduce((sum, each) => sum + each.n, 0)
        const oldest = Math.min(...open.map(each => each.since))
        const state = halted !== null ? `halted: ${halted}` : waits !== null ? `lacks ${waits}` : 'ready'
        return [
          chain_id,
          role,
          address,
          String(next_nonce),
          String(count),
          ago(clock(), open.length ? oldest : null),
          state,
        ]
      })
      const waiting = underWay.flatMap(({ chain_id, nonce, waits }) =>
        waits === null ? [] : [`Nonce ${nonce} on ${chain_id} waits: ${waits}`],
      )
      return [table(['CHAIN', 'WALLET', 'ADDRESS', 'NONCE', 'OPEN', 'OLDEST', 'STATE'], rows), ...waiting].join('\n')
    },
  },
  {
    usage: 'wallet fund',
    help: 'show the addresses to fund and what is missing',
    async run({ pool }) {
      const rows = []
      for (const { chain_id, role, address, waits } of await allWallets(pool)) {
        const { kind } = (await readChain(pool, chain_id))!
        rows.push([chain_id, role, kinds[kind].address.show(address), waits ?? 'nothing'])
      }
      if (rows.length === 0) return 'There is no wallet yet: the server stores it once the signer answers.'
      return table(['CHAIN', 'WALLET', 'ADDRESS', 'MISSING'], rows)
    },
  },
  {
    usage: 'wallet halt <chain> [reason]',
    help: 'stop signing and broadcasting from the hot wallet of a chain',
    failureText: 'This chain has no hot wallet, or it is halted already; see "wallet status".',
    async run(deps, [chainId = '', ...words]) {
      await haltByOperator(deps, chainId, words.join(' ').trim() || 'operator')
      return `The hot wallet of ${chainId} is halted.`
    },
  },
  {
    usage: 'wallet resume <chain>',
    help: 'resume the halted hot wallet of a chain',
    failureText: 'The hot wallet of this chain is not halted; see "wallet status".',
    async run(deps, [chainId = '']) {
      await resumeWallet(deps, chainId)
      return `The hot wallet of ${chainId} is resumed. Close its incident with "incident close".`
    },
  },
  {
    usage: 'wallet cancel <chain> <nonce> [reason]',
    help: 'replace a transaction that is in no block by a transfer of nothing to the hot wallet itself',
    failureText: 'There is no such transaction, or it is in a block or cancelled already.',
    async run(deps, [chainId = '', nonce = '', ...words]) {
      if (!/^\d{1,15}$/.test(nonce)) throw new Refusal('operation_failed', { field: 'nonce' })
      const reason = words.join(' ').trim() || 'cancelled by the operator'
      await cancelNonce(deps, { chainId, nonce: Number(nonce), reason })
      return `Nonce ${nonce} of ${chainId} is being cancelled. What it carries is void once the cancellation is final.`
    },
  },
  {
    usage: 'wallet abandon <chain> <nonce>',
    help: 'end a transaction whose nonce another one has used, once you know that nothing of it was paid',
    failureText: 'No transaction of this nonce waits because another one has used it; see "wallet status".',
    async run(deps, [chainId = '', nonce = '']) {
      const wallet = await walletOfRole(deps.pool, chainId, 'hot')
      const id = { chain_id: chainId, from_address: wallet?.address ?? '', nonce: Number(nonce) }
      const owners = { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
      if (!/^\d{1,15}$/.test(nonce) || !(await endTaken(deps, owners, id)))
        throw new Refusal('operation_failed', { field: 'nonce' })
      return `Nonce ${nonce} of ${chainId} has ended. Its withdrawals and refunds are abnormal: approve them to pay them again, or cancel them.`
    },
  },
  {
    usage: 'sweep now <chain>',
    help: 'sweep all deposits of a chain to its hot wallet, whatever they are worth',
    async run(deps, [chainId = '']) {
      await sweepNow(deps, { chainId })
      return `The deposits of ${chainId} will be swept within a minute; see "sweep status".`
    },
  },
  {
    usage: 'sweep status',
    help: 'show per asset what is not swept, the sweeps under way, and those that failed in the last day',
    async run({ pool, clock }) {
      const rows = (await sweepStatus(pool, clock() - failedFor)).map(each => [
        each.chain_id,
        each.symbol,
        formatDecimal(each.unswept, each.decimals),
        String(each.under_way),
        String(each.failed),
      ])
      return table(['CHAIN', 'ASSET', 'NOT SWEPT', 'UNDER WAY', 'FAILED'], rows)
    },
  },
]
