import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run, tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { isSiblingSql, readPayableAsset } from '../chains/assets.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { parseAmount } from './payout-asset.ts'

/**
 * Reads the settings of every asset that is enabled, or of which the merchant has some; gas limit and minimum are null
 * where the default of the installation applies.
 */
export const listSettings = all(
  'withdrawal-settings-list',
  `select a.id, a.symbol, a.decimals, h.definition, s.gas_limit, s.minimum, coalesce(s.automatic, true) as automatic
   from assets a join chains h on h.id = a.chain_id
   left join withdrawal_settings s on s.asset_id = a.id and s.merchant_id = $1
   where h.enabled and (a.enabled or ${isSiblingSql('a')} and exists (
     select from ledger_accounts l where l.asset_id = a.id and l.merchant_id = $1 and l.balance > 0)) order by h.id, a.symbol`,
)

/** Reads the most gas, in the token, that a withdrawal of an asset may include. */
export const readGasLimit = first(
  'withdrawal-gas-limit',
  'select gas_limit from withdrawal_settings where merchant_id = $1 and asset_id = $2',
)

const save = run(
  'withdrawal-settings-save',
  `insert into withdrawal_settings (merchant_id, asset_id, gas_limit, minimum, automatic, updated_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, asset_id) do update set gas_limit = excluded.gas_limit, minimum = excluded.minimum,
     automatic = excluded.automatic, updated_at = excluded.updated_at`,
)

interface SaveSetting {
  merchantId: string
  assetId: string
  /** Decimal amounts in the token; '' for the default of the installation. */
  gasLimit: string
  minimum: string
  automatic: boolean
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Saves the settings of an asset: the most gas of a withdrawal, and from which balance and whether deposits are
 * aggregated.
 */
export async function saveSetting(deps: Deps, input: SaveSetting): Promise<void> {
  const { merchantId, assetId, automatic, from } = input
  const asset = await readPayableAsset(deps.pool, assetId)
  if (!asset) throw new Refusal('currency_not_exist', { field: 'token_id' })
  const units = (text: string) => (text === '' ? null : parseAmount(asset, text))
  const gasLimit = units(input.gasLimit)
  const minimum = units(input.minimum)
  const consume = await checkProof(deps, {
    by: readMember(merchantId, input.from),
    proof: input.proof,
    action: 'withdrawal-settings',
  })
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    await save(c, merchantId, assetId, gasLimit, minimum, automatic, deps.clock())
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_settings_changed', from, params: { token_id: assetId } })
  })
}

/** Formats the setting of an asset. */
export const formatOptionalUnits = (units: bigint | null, decimals: number) =>
  units === null ? '' : formatDecimal(units, decimals)
