import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, run } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { quoteMerchantName } from '../merchants/mails.ts'
import type { Merchant } from '../merchants/store.ts'
import { approvalReasons } from '../policies/format-policy-report.ts'
import { readWithdrawal } from './list.ts'

/** Seconds for which a link is valid. */
const linkSeconds = 72 * 3_600

const insert = run(
  'approval-insert',
  `insert into withdrawal_approvals as a (merchant_id, withdrawal_id, token_hash, email, expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, withdrawal_id) do update set token_hash = excluded.token_hash, email = excluded.email,
     expires_at = excluded.expires_at, code_hash = null, code_until = 0, code_sent_at = 0 where a.decision is null returning 1`,
)

/** Makes the link of a withdrawal, in place of the one before. Returns its secret. */
export async function createApprovalLink(
  deps: Pick<Deps, 'clock'>,
  c: Queryable,
  { merchantId, id, email }: { merchantId: string; id: string; email: string },
): Promise<string> {
  const token = newSecret()
  const now = deps.clock()
  const made = await insert(c, merchantId, id, hashSecret(token), email, now + linkSeconds, now)
  if (made === 0) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
  return token
}

/** Mails the link to the approver without waiting; a link that does not arrive can be sent again. */
export function mailApprovalLink(
  deps: Deps,
  merchant: Pick<Merchant, 'name' | 'email' | 'language'>,
  { email, token, what, why }: { email: string; token: string } & Question,
): void {
  const url = `${deps.config.publicUrl}/approve#${token}`
  const name = quoteMerchantName(merchant)
  const mails: Record<Language, { subject: string; text: string }> = {
    en: {
      subject: `${name} asks you to approve a withdrawal`,
      text: `${what}\nThe withdrawal policy requires a second approval: ${why.en}\n\nReview it, then approve or reject it:\n${url}\n\nThe link works once and expires in 72 hours. Never share it. If you do not know what this is about, reject it.\n`,
    },
    'zh-CN': {
      subject: `${name} 请您复核一笔提现`,
      text: `${what}\n按提现策略须双人复核：${why['zh-CN']}\n\n请查看并复核：\n${url}\n\n链接仅可使用一次，72 小时内有效，请勿告知他人。如不了解该笔提现，请拒绝。\n`,
    },
  }
  deps.mail
    .send({ to: email, ...mails[languageOf(merchant.language)] })
    .catch(error => deps.log.error({ err: error }, 'approval link not sent'))
}

/**
 * The question to an approver: what is withdrawn, as in `60 USDT (Ethereum), 0x12...`, and by which limits it needs an
 * approval.
 */
interface Question {
  what: string
  why: Record<Language, string>
}

/** Returns the question to an approver. */
export async function describeApprovalQuestion(c: Queryable, merchantId: string, id: string): Promise<Question> {
  const { definition, amount, decimals, token, to_address, policy } = (await readWithdrawal(c, merchantId, id))!
  const to = chainAdapters[definition.kind].address.show(to_address)
  const what = `${formatDecimal(amount, decimals)} ${token} (${definition.name}), ${to}`
  return { what, why: approvalReasons(policy) }
}
