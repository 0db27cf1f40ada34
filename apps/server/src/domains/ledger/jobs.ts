import { isChainError } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import { registry } from '../../kit/metrics.ts'
import { reconcileChain } from './reconcile-chain.ts'

const registers = [registry]
const labelNames = ['asset'] as const
const ledger = new Gauge({
  name: 'coffer_ledger_chain',
  help: 'What the chain should hold by the ledger',
  labelNames,
  registers,
})
const found = new Gauge({
  name: 'coffer_chain_found',
  help: 'What our addresses hold at finality',
  labelNames,
  registers,
})
const compared = new Gauge({
  name: 'coffer_chain_compared',
  help: 'Unix time at which this process last compared ledger and chain',
  labelNames,
  registers,
})
const missing = new Gauge({ name: 'coffer_chain_missing', help: '1 while money is missing', labelNames, registers })

/** Compares the ledger with the chains, every ten minutes (half a minute in the sandbox). */
export const reconcile = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loop({
    name: 'reconcile',
    everyMs: deps.config.mode === 'sandbox' ? 30_000 : 600_000,
    log: deps.log,
    signal,
    work: async () => {
      for (const chain of deps.chains.values()) {
        try {
          for (const each of await reconcileChain(deps, chain)) {
            const asset = each.asset_id
            ledger.set({ asset }, Number(formatDecimal(each.chain, each.decimals)))
            found.set({ asset }, Number(formatDecimal(each.found, each.decimals)))
            compared.set({ asset }, deps.clock())
            missing.set({ asset }, each.verdict === 'shortage' ? 1 : 0)
          }
        } catch (error) {
          if (!isChainError(error)) throw error
        }
      }
      return false
    },
  })
