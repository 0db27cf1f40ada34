import { type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import type { elsewhere } from '../../kit/work-share.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import { getChainFailures } from './alone.ts'

/** Passes in a row that the signer or the nodes did not answer, after which others try. */
const cutOffAfter = 3
/** How long (ms) they do. */
const declinedMs = 60_000

/** The name of sending from the wallets of a chain among the work that servers share. */
export const sendingWork = (chainId: string): string => `send on ${chainId}`

/** A server's share of a piece of work on the wallets of a chain. */
export interface WalletShare {
  /** What the work is given. */
  deps: Deps
  /** Does the work if it is this server's. */
  run<T>(act: () => Promise<T>): Promise<T | typeof elsewhere>
}

/**
 * Makes a server's share of a piece of work on the wallets of a chain. One that neither the signer nor the nodes answer
 * leaves it to the others for a while: they may reach them. A late pass of a frozen server does no harm: each nonce and
 * state is checked under its lock.
 */
export function makeWalletShare(all: Deps, chain: ChainView, work: string): WalletShare {
  let isCutOff = false
  let passes = 0
  const note = () => {
    isCutOff = true
  }
  const pass = async <T>(act: () => Promise<T>): Promise<T> => {
    const began = all.clock()
    isCutOff = false
    try {
      return await act()
    } catch (error) {
      if (isChainError(error)) note()
      throw error
    } finally {
      const failures = [...getChainFailures(chain).values()]
      if (failures.some(each => each.isOutage && each.at >= began)) note()
      passes = isCutOff ? passes + 1 : 0
      if (passes >= cutOffAfter) {
        passes = 0
        all.share.decline(work, declinedMs)
      }
    }
  }
  return {
    deps: { ...all, signer: noteSilence(all.signer, note) },
    run: act => all.share.run(work, () => pass(act)),
  }
}

/** The signer, of which `note` hears when it does not answer. */
const noteSilence = (signer: Deps['signer'], note: () => void): Deps['signer'] =>
  new Proxy(signer, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return async (...input: unknown[]) => {
        try {
          return await value.apply(target, input)
        } catch (error) {
          if (error instanceof SignerUnavailable) note()
          throw error
        }
      }
    },
  })
