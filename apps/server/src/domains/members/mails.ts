import { type MerchantRole, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { quoteMerchantName } from '../merchants/mails.ts'
import type { Merchant } from '../merchants/store.ts'
import type { MemberChange } from '../notifications/member-mails.ts'

type Shop = Pick<Merchant, 'name' | 'email'>
/** Names of applications, and numbers of connected shops, whose key somebody knows. */
export interface KnownKeys {
  applications: string[]
  shops: string[]
}
interface Mail {
  subject: string
  text: string
}

/** Who did something by a key, which is named by its application. */
export const doneByKey = ({ name }: { name: string }) =>
  ({ by: quoteMerchantName({ name, email: '' }), doer: 'key' }) as const
export const doneByOperator = { by: '', doer: 'operator' } as const

/** Mail to an invited address. `by`: the person who invites. */
function invitationMail(
  language: Language,
  given: { shop: Shop; role: MerchantRole; by?: string | undefined; link: string; publicUrl: string },
): Mail {
  const { by, link, publicUrl } = given
  const shop = quoteMerchantName(given.shop)
  const { name, may } = merchantRoleTexts[given.role]
  const mails: Record<Language, Mail> = {
    en: {
      subject: `Invitation to ${shop}`,
      text: `${by ? `${by} invites you` : 'You are invited'} to ${shop} on ${publicUrl}.\nYour role: ${name.en} (${may.en})\n\nAccept with this link:\n${link}\n\nIt expires in 7 days, works once, and only for this address. Never share it. If you do not know the sender, ignore this email.\n`,
    },
    'zh-CN': {
      subject: `邀请您加入商户${shop}`,
      text: `${by ? `${by} 邀请您` : '您受邀'}加入商户${shop}（${publicUrl}）。\n您的角色：${name['zh-CN']}（${may['zh-CN']}）\n\n请打开以下链接接受邀请：\n${link}\n\n链接 7 天内有效，仅可使用一次，且仅限本邮箱使用，请勿告知他人。如您不认识发件人，请忽略此邮件。\n`,
    },
  }
  return mails[language]
}

/** Mails the link to an invited address. Throws Refusal('mail_failed'). */
export async function mailInvitation(
  deps: Deps,
  language: Language,
  given: Parameters<typeof invitationMail>[1] & { email: string },
): Promise<void> {
  await deps.mail.send({ to: given.email, ...invitationMail(language, given) }).catch(error => {
    deps.log.error({ err: error }, 'invitation not sent')
    throw new Refusal('mail_failed')
  })
}

/** Notifies the owners of a shop, but `except`, of what changed or of what one of them requests. */
export function notifyOwners(
  deps: Deps,
  uow: UnitOfWork,
  shop: Merchant,
  { keys, ...change }: Omit<MemberChange, 'shop' | 'keys' | 'shops'> & { keys?: KnownKeys | undefined },
  except?: string,
): void {
  const { applications = [], shops = [] } = keys ?? {}
  const params = {
    ...change,
    shop: quoteMerchantName(shop),
    ...(applications.length > 0 && { keys: applications.join('\n') }),
    ...(shops.length > 0 && { shops: shops.join('\n') }),
  }
  const event = { merchant_id: shop.id, name: 'members_changed', params, created_at: deps.clock() } as const
  uow.add(events, [{ ...event, ...(except !== undefined && { except }) }])
}

/** Notifies a person that the own part in a shop changed. */
export function notifyMember(
  deps: Deps,
  uow: UnitOfWork,
  shop: Merchant,
  { person_id, ...change }: Omit<MemberChange, 'shop'> & { person_id: string },
): void {
  const params = { ...change, shop: quoteMerchantName(shop) }
  uow.add(events, [{ merchant_id: shop.id, person_id, name: 'membership_changed', params, created_at: deps.clock() }])
}
