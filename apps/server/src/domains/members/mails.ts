import { type MerchantRole, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { quoteMerchantName } from '../merchants/mails.ts'
import type { Merchant } from '../merchants/store.ts'
import type { Member } from './store.ts'

type Shop = Pick<Merchant, 'name' | 'email'>
interface Mail {
  subject: string
  text: string
}

/** Who did something: an e-mail, or in words. */
type Doer = string | Record<Language, string>
const wordsOf = (by: Doer): Record<Language, string> => (typeof by === 'string' ? { en: by, 'zh-CN': by } : by)
/** The same where a sentence begins. */
const subjectOf = (by: Doer): Record<Language, string> =>
  typeof by === 'string' ? wordsOf(by) : { ...by, en: by.en.charAt(0).toUpperCase() + by.en.slice(1) }

/** The key of an application. */
export function describeKey(application: { name: string }): Doer {
  const name = quoteMerchantName({ name: application.name, email: '' })
  return { en: `the key of application ${name}`, 'zh-CN': `应用${name}的密钥` }
}
export const operatorDoer: Doer = { en: 'the operator', 'zh-CN': '运营方' }

/** What happened to who belongs to a shop, or that an owner asks for it (`waits`). */
export interface MemberChange {
  change: 'invited' | 'joined' | 'role' | 'removed' | 'left'
  /** Whom it concerns. */
  email: string
  role: MerchantRole
  by: Doer
  waits?: boolean
  /** Names of applications whose secret key this person made, and knows. */
  keys?: readonly string[]
}

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

/** What was done, and what an owner asks for. */
function changeTexts({
  change,
  email,
  role,
  by: doer,
}: MemberChange): Record<Language, { done: string; asked: string }> {
  const { name } = merchantRoleTexts[role]
  const by = subjectOf(doer)
  const texts: Record<MemberChange['change'], Record<Language, { done: string; asked: string }>> = {
    invited: {
      en: { done: `${by.en} invited ${email} (${name.en})`, asked: `${by.en} asks to invite ${email} (${name.en})` },
      'zh-CN': {
        done: `${by['zh-CN']} 邀请了 ${email}（${name['zh-CN']}）`,
        asked: `${by['zh-CN']} 申请邀请 ${email}（${name['zh-CN']}）`,
      },
    },
    joined: {
      en: { done: `${email} accepted the invitation (${name.en})`, asked: '' },
      'zh-CN': { done: `${email} 已接受邀请（${name['zh-CN']}）`, asked: '' },
    },
    role: {
      en: {
        done: `${by.en} changed the role of ${email} to ${name.en}`,
        asked: `${by.en} asks to change the role of ${email} to ${name.en}`,
      },
      'zh-CN': {
        done: `${by['zh-CN']} 已将 ${email} 的角色改为${name['zh-CN']}`,
        asked: `${by['zh-CN']} 申请将 ${email} 的角色改为${name['zh-CN']}`,
      },
    },
    removed: {
      en: { done: `${by.en} removed ${email}`, asked: `${by.en} asks to remove ${email}` },
      'zh-CN': { done: `${by['zh-CN']} 移除了 ${email}`, asked: `${by['zh-CN']} 申请移除 ${email}` },
    },
    left: {
      en: { done: `${email} left the shop`, asked: '' },
      'zh-CN': { done: `${email} 已退出商户`, asked: '' },
    },
  }
  return texts[change]
}

const advice: Record<'done' | 'asked', Record<Language, string>> = {
  done: {
    en: 'If this was not agreed with you, look at “People” in the back-office.',
    'zh-CN': '如您不知情，请在商户后台“成员”页面核实。',
  },
  asked: {
    en: 'Nothing happens until another owner does the same under “People” in the back-office.',
    'zh-CN': '须由另一位所有者在商户后台“成员”页面执行相同操作后生效。',
  },
}

/** Advice about keys that somebody knows who works for the shop no more, or as something else. */
const keyAdvice = (keys: readonly string[]): Record<Language, string> => ({
  en: `This person made the secret keys of these applications, which still work: ${keys.join(', ')}. Renew them under “Applications”.`,
  'zh-CN': `以下应用的密钥由该成员创建，目前仍然有效：${keys.join('、')}。请在“应用”页面更换密钥。`,
})

/** Mail to an owner about who belongs to the shop. */
export function ownerMail(language: Language, shop: Shop, change: MemberChange): Mail {
  const state = change.waits ? 'asked' : 'done'
  const subject = changeTexts(change)[language][state]
  const text = {
    en: `${quoteMerchantName(shop)}: ${subject}. ${advice[state].en}\n`,
    'zh-CN': `商户${quoteMerchantName(shop)}：${subject}。${advice[state]['zh-CN']}\n`,
  }
  const keys = change.keys?.length ? `\n${keyAdvice(change.keys)[language]}\n` : ''
  return { subject, text: text[language] + keys }
}

/** Mail to the person whose part in a shop changed. */
export function memberMail(language: Language, shop: Shop, { change, role, by }: MemberChange): Mail {
  const name = quoteMerchantName(shop)
  const roleName = merchantRoleTexts[role].name
  const subjects: Record<Language, string> =
    change === 'removed'
      ? { en: `You no longer belong to ${name}`, 'zh-CN': `您已被移出商户${name}` }
      : { en: `Your role in ${name} is now ${roleName.en}`, 'zh-CN': `您在商户${name}的角色已改为${roleName['zh-CN']}` }
  const texts: Record<Language, string> = {
    en: `${subjects.en}. This was done by ${wordsOf(by).en}.\n`,
    'zh-CN': `${subjects['zh-CN']}。操作人：${wordsOf(by)['zh-CN']}。\n`,
  }
  return { subject: subjects[language], text: texts[language] }
}

const send = (deps: Deps, to: string, mail: Mail) =>
  deps.mail.send({ to, ...mail }).catch(error => deps.log.error({ err: error }, 'mail about members not sent'))

/** Notifies owners of a change, without waiting. Failures are only logged: the account log remains. */
export function mailOwners(
  deps: Deps,
  owners: readonly Pick<Member, 'email' | 'language'>[],
  shop: Shop,
  change: MemberChange,
): void {
  for (const { email, language } of owners) void send(deps, email, ownerMail(languageOf(language), shop, change))
}

/** Notifies the person whose part changed, without waiting. */
export function mailMember(
  deps: Deps,
  { email, language }: Pick<Member, 'email' | 'language'>,
  shop: Shop,
  change: MemberChange,
): void {
  void send(deps, email, memberMail(languageOf(language), shop, change))
}
