import { type MerchantState, merchantStatus, nameOf } from '@coffer/contract/codes.ts'
import { riskLevels } from '@coffer/contract/operator/merchants.ts'
import { isText } from '@coffer/contract/validators.ts'
import type { Deps } from '../deps.ts'
import { setFees } from '../domains/billing/set-fees.ts'
import { liftHold } from '../domains/identity/not-me.ts'
import { cancelRemoval, confirmRemoval, requestRemoval } from '../domains/identity/remove-authenticator.ts'
import { listMerchants, type Merchant, merchantById, merchantByMchid } from '../domains/merchants/store.ts'
import { type Limits, setLimits, setRiskLevel } from '../domains/onboarding/assess-merchant.ts'
import { freezeMerchant, unfreezeMerchant } from '../domains/onboarding/freeze-merchant.ts'
import { advanceMerchant, approveMerchant, refuseMerchant } from '../domains/onboarding/review-merchant.ts'
import { Refusal } from '../kit/refusal.ts'
import { person } from './audit.ts'
import { type Command, table, timeText } from './command.ts'

/** States listed by `merchant list <group>`. */
const groups: Record<string, MerchantState[] | undefined> = {
  all: undefined,
  waiting: ['primary_audit', 'advanced_audit'],
  approved: ['approved'],
  refused: ['failed_audit'],
}

export const merchantCommands: Command[] = [
  {
    usage: 'merchant list [waiting|approved|refused]',
    help: 'list merchants, newest first',
    async run(deps, [group = 'all']) {
      if (!Object.hasOwn(groups, group)) throw new Refusal('parameter_error', { field: group })
      const rows = await listMerchants(deps.pool, groups[group])
      if (rows.length === 0) return 'No merchants.'
      return table(['MCHID', 'STATUS', 'E-MAIL', 'NAME', 'SINCE'], rows.map(row))
    },
  },
  onMerchant('approve', '', 'grant merchant permission', approveMerchant, 'approved'),
  onMerchant('advance', '', 'move the merchant to the advanced audit', advanceMerchant, 'in the advanced audit'),
  onMerchant('refuse', ' <reason>', 'refuse merchant permission', refuse, 'refused'),
  onMerchant('freeze', ' [reason]', 'end all sessions, disable keys and block sign-in', freezeMerchant, 'frozen'),
  onMerchant('unfreeze', ' [reason]', 'lift a freeze', unfreezeMerchant, 'no longer frozen'),
  onMerchant('risk', ' <fail|pass|excellent|abnormal>', 'set the risk level', risk, 'judged anew'),
  onMerchant(
    'limits',
    ' <name=value> [name=value]',
    'set limits of withdrawals: withdraw_single_max, withdraw_day_max, withdraw_approval_above, in USDT or default',
    limits,
    'under these limits now',
  ),
  {
    usage: 'merchant fee <mchid> <payments> [<withdrawals>]',
    help: "set a merchant's fees in thousandths, or default",
    async run(deps, [mchid = '', payments = '', withdrawals = payments === 'default' ? 'default' : undefined]) {
      const merchant = await merchantByMchid(deps.pool, mchid)
      if (!merchant) throw new Refusal('merchant_not_exist', { field: mchid })
      const read = (text: string) => (text === 'default' ? null : text.trim() === '' ? Number.NaN : Number(text))
      await setFees(deps, {
        merchantId: merchant.id,
        payments: read(payments),
        withdrawals: withdrawals === undefined ? merchant.withdraw_fee_permille : read(withdrawals),
      })
      return `The fees of ${merchant.mchid} (${merchant.email}) are set.`
    },
  },
  onMerchant(
    'remove-authenticator',
    '',
    'ask for the removal of a lost authenticator; verify who asks first',
    requestRemoval,
    'to lose its authenticator, once another person confirms',
  ),
  onMerchant(
    'confirm-removal',
    '',
    'confirm the removal, as another person; it happens 24 hours later',
    confirmRemoval,
    'without an authenticator in 24 hours',
  ),
  onMerchant(
    'cancel-removal',
    '',
    'cancel the removal of an authenticator',
    cancelRemoval,
    'to keep its authenticator',
  ),
  onMerchant(
    'lift-hold',
    '',
    'allow withdrawals after a reported sign-in; verify who asks first',
    liftHold,
    'free to withdraw',
  ),
]

const limitNames = ['withdraw_single_max', 'withdraw_day_max', 'withdraw_approval_above'] as const

/** Sets limits named on the command line; "default" stands for those of the installation. */
async function limits(deps: Deps, { merchantId, reason }: { merchantId: string; reason: string }): Promise<void> {
  const { withdraw_single_max, withdraw_day_max, withdraw_approval_above } = (await merchantById(
    deps.pool,
    merchantId,
  ))!
  const now: Limits = { withdraw_single_max, withdraw_day_max, withdraw_approval_above }
  for (const word of reason.split(' ').filter(Boolean)) {
    const [name, value = ''] = word.split('=')
    const known = limitNames.find(each => each === name)
    if (!known || !(value === 'default' || /^\d{1,9}$/.test(value)))
      throw new Refusal('parameter_error', {
        field: `${word}: use ${limitNames.join(', ')} with = and whole USDT or default`,
      })
    now[known] = value === 'default' ? null : Number(value)
  }
  await setLimits(deps, { merchantId, limits: now })
}

async function risk(deps: Deps, { merchantId, reason }: { merchantId: string; reason: string }): Promise<void> {
  const level = riskLevels.find(each => each === reason)
  if (!level) throw new Refusal('parameter_error', { field: riskLevels.join('|') })
  await setRiskLevel(deps, { merchantId, level })
}

function onMerchant(
  verb: string,
  more: string,
  help: string,
  act: (deps: Deps, input: { merchantId: string; reason: string; by: string }) => Promise<void>,
  done: string,
): Command {
  return {
    usage: `merchant ${verb} <mchid>${more}`,
    help,
    async run(deps, [mchid = '', ...reason]) {
      const merchant = await merchantByMchid(deps.pool, mchid)
      if (!merchant) throw new Refusal('merchant_not_exist', { field: mchid })
      await act(deps, { merchantId: merchant.id, reason: reason.join(' '), by: person() })
      return `${merchant.mchid} (${merchant.email}) is ${done}.`
    },
  }
}

/** Requires a reason, because the merchant reads it. */
async function refuse(deps: Deps, input: { merchantId: string; reason: string }): Promise<void> {
  if (!isText(input.reason) || input.reason.length > 200) throw new Refusal('text_needed', { field: 'reason' })
  await refuseMerchant(deps, input)
}

const row = (merchant: Merchant) => [
  merchant.mchid,
  merchant.frozen ? 'frozen' : (nameOf(merchantStatus, merchant.status)?.replace('_', ' ') ?? ''),
  merchant.email,
  merchant.name,
  timeText(merchant.created_at),
]
