import { chainAdapters } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingId } from '../../owner.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import type { Treasury, WalletName } from '../../signer/protocol.ts'
import { endUnseenIncidents, reportLastingIncident } from '../chains/lasting-incidents.ts'
import { incidents, insertIncidents } from '../chains/store.ts'
import { createSendingFor } from './kinds.ts'
import type { PayableChain } from './sender.ts'
import {
  deleteExpectedCoinBalance,
  insertHouse,
  insertTreasury,
  insertWallet,
  isSpendable,
  readTreasury,
  readWallets,
  resumeChainWallets,
  setTreasury,
  setWalletHalted,
  type Wallet,
  walletOfRole,
} from './store.ts'

/**
 * Reads a wallet of a chain, and stores it at the first call. Null while it is not stored and the signer does not
 * answer.
 */
export async function ensureWallet(deps: Deps, chain: PayableChain, role: WalletName): Promise<Wallet | null> {
  const { id, kind } = chain.definition
  const stored = await walletOfRole(deps.pool, id, role)
  if (stored) return stored
  try {
    const address = await deps.signer[role](kind)
    const nonce = (await createSendingFor(chain).nonces?.next(address)) ?? 0
    await insertWallet(deps.pool, id, address, kind, role, null, nonce, deps.clock())
  } catch (error) {
    if (error instanceof SignerUnavailable) return null
    throw error
  }
  return (await walletOfRole(deps.pool, id, role))!
}

/** A treasury that whoever has our keys can empty: nothing is sent there. */
export class OwnTreasuryError extends Error {}

/**
 * Reads the treasury of a chain, and stores it as ours, so that its balance counts and nobody is paid there. Null where
 * the signer's policy names none. One that differs from the last one is an incident before anything is sent there.
 * @throws SignerUnavailable, TreasuryIsOurs
 */
export async function ensureTreasury(deps: Deps, chain: PayableChain): Promise<Treasury | null> {
  const { id, kind } = chain.definition
  const treasury = await deps.signer.treasury(id)
  await noteTreasury(deps, chain.definition, treasury?.address ?? null)
  // guard: treasury-ours
  if (treasury) await insertHouse(deps.pool, kind, treasury.address, deps.clock())
  return treasury
}

/** Looks whether the treasury of a chain is another one, and outside; nothing while the signer does not answer. */
export const watchTreasury = (deps: Deps, chain: PayableChain): Promise<unknown> =>
  ensureTreasury(deps, chain).catch(error => {
    if (!(error instanceof SignerUnavailable || error instanceof OwnTreasuryError)) throw error
  })

/** Reports a treasury that changed, and one that is ours while it is. */
async function noteTreasury(
  { pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>,
  { id: chain_id, kind }: PayableChain['definition'],
  address: string | null,
): Promise<void> {
  const now = clock()
  const shown = (one: string | null) => one && chainAdapters[kind].address.show(one)
  const noted = await readTreasury(pool, chain_id)
  if (!noted) await insertTreasury(pool, chain_id, address)
  else if (noted.address !== address)
    await tx(pool, async c => {
      if ((await setTreasury(c, chain_id, address)) === 0) return
      // A dash: deposits go to the hot wallet.
      const detail = { was: shown(noted.address) ?? '–', to: shown(address) ?? '–' }
      await insertIncidents(c, [{ id: newId(), kind: 'treasury_changed', chain_id, detail, created_at: now }])
      log.error({ chain: chain_id, ...detail }, 'the treasury has changed')
    })
  if (address === null || !(await isSpendable(pool, kind, address))!.yes) {
    await endUnseenIncidents(pool, ['treasury_ours'], chain_id, now, now)
    return
  }
  const detail = { to: shown(address) }
  if (await tx(pool, c => reportLastingIncident(c, { kind: 'treasury_ours', chain_id, of: detail, detail }, now)))
    log.error({ chain: chain_id, ...detail }, 'the treasury is an address of ours')
  throw new OwnTreasuryError(`The treasury of ${chain_id} is an address of ours.`)
}

/** Halts a wallet and records the incident. Does nothing when it is halted already. */
export async function haltWallet(
  deps: Deps,
  uow: UnitOfWork,
  { chain_id, from_address, nonce }: OutgoingId,
  reason: string,
): Promise<void> {
  if ((await setWalletHalted(uow.c, chain_id, from_address, reason)) === 0) return
  const detail = { wallet: from_address, nonce, reason }
  uow.add(incidents, [{ id: newId(), kind: 'wallet_halted', chain_id, detail, created_at: deps.clock() }])
  deps.log.error({ chain: chain_id, wallet: from_address, nonce, reason }, 'wallet halted')
}

/** Halts the hot wallet of a chain as the operator asks: nothing is signed or broadcast until it is resumed. */
export const haltByOperator = (deps: Deps, chainId: string, reason: string): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const wallet = await walletOfRole(c, chainId, 'hot')
    if (!wallet || wallet.halted !== null) throw new Refusal('operation_failed', { field: 'chain' })
    await haltWallet(deps, uow, { chain_id: chainId, from_address: wallet.address, nonce: wallet.next_nonce }, reason)
  })

/**
 * Resumes the halted wallets of a chain, once it is agreed: what they have of the native coin then is what is expected
 * of them.
 */
export const resumeWallets = (deps: Deps, chainId: string, agree?: AgreementCheck): Promise<{ waits: boolean }> =>
  tx(deps.pool, async c => {
    const refused = new Refusal('operation_failed', { field: 'chain' })
    if (!(await readWallets(c)).some(each => each.chain_id === chainId && each.halted !== null)) throw refused
    if ((await agree?.(c)) === 'waits') return { waits: true }
    if ((await resumeChainWallets(c, chainId)) === 0) throw refused
    await deleteExpectedCoinBalance(c, chainId)
    return { waits: false }
  })
