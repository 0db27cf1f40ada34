import type { ChainDefinition } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readChain } from '../chains/store.ts'
import { newAddress } from './new-address.ts'
import { type FixedAddress, fixedAddress, insertFixedAddress, lockMerchantsAddresses } from './store.ts'

/**
 * Gives the merchant's fixed address on a chain, made at the first call. Chains of one kind share the address. What comes
 * in there is credited without a payment, as a recharge.
 */
export async function allotFixedAddress(
  deps: Deps,
  { merchantId, chainId }: { merchantId: string; chainId: string },
): Promise<FixedAddress & { definition: ChainDefinition }> {
  return tx(deps.pool, async c => {
    const chain = await readChain(c, chainId)
    if (!chain?.enabled) throw new Refusal('currency_not_exist', { field: 'currency_id' })
    if (chain.halted || chain.last_number === null) throw new Refusal('chain_unavailable', { field: 'currency_id' })
    // Two first calls at once would each take an address.
    await lockMerchantsAddresses(c, merchantId)
    const known = await fixedAddress(c, merchantId, chain.kind)
    const now = deps.clock()
    const address = known ?? (await newAddress(deps, c, { merchantId, kind: chain.kind, purpose: 'fixed', now }))
    const row = { id: newId(), merchant_id: merchantId, chain_id: chainId, address, created_at: now }
    return { ...(await insertFixedAddress(c, row)), definition: chain.definition }
  })
}
