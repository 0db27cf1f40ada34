import { type MerchantTerms, type OwnMerchantTerms, resolveMerchantTerms } from '@coffer/core'
import type { Deps } from '../../deps.ts'

/** Returns the terms of the installation, which hold where a merchant has none of its own. */
export const getStandardTerms = ({ config }: Pick<Deps, 'config'>): MerchantTerms => ({
  fee_bps: config.feeBps,
  withdraw_fee_bps: config.withdrawFeeBps,
  withdraw_single_max: config.withdrawSingleMax,
  withdraw_day_max: config.withdrawDayMax,
  withdraw_approval_above: config.withdrawApprovalAbove,
})

/** Returns the terms in force for a merchant; without a row, those of the installation. */
export const getMerchantTerms = (deps: Pick<Deps, 'config'>, own: Partial<OwnMerchantTerms> = {}): MerchantTerms =>
  resolveMerchantTerms(own, getStandardTerms(deps))
