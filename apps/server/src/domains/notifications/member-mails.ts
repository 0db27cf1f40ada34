import { type MerchantRole, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'

interface Mail {
  subject: string
  text: string
}

/** What happened to who belongs to a shop, or that an owner asks for it (`waits`), as the params of its events. */
export type MemberChange = {
  change: 'invited' | 'joined' | 'role' | 'removed' | 'left'
  /** The shop's name, in quotation marks. */
  shop: string
  /** Whom it concerns. */
  email: string
  role: MerchantRole
  /** Who did it: an e-mail address or, by a key, the name of its application in quotation marks. */
  by: string
  doer?: 'key' | 'operator'
  waits?: 'yes'
  /** Names of applications whose secret key this person made, and knows: one a line. */
  keys?: string
  /** Connected shops whose key this person made, in the same form. */
  shops?: string
}

/** Says who did something. */
const describeDoer = ({ by, doer }: MemberChange): Record<Language, string> => {
  if (doer === 'operator') return { en: 'the operator', 'zh-CN': '运营方' }
  if (doer === 'key') return { en: `the key of application ${by}`, 'zh-CN': `应用${by}的密钥` }
  return { en: by, 'zh-CN': by }
}

/** Advice about keys that somebody knows who works for the shop no more, or as something else; each is one a line. */
const keyAdvice: Record<Language, Record<'keys' | 'shops', (lines: string) => string>> = {
  en: {
    keys: lines =>
      `This person made the secret keys of these applications, which still work: ${listNames(lines, ', ')}. Renew them under “Applications”.`,
    shops: lines =>
      `This person made the keys of these connected shops, which still work: ${listNames(lines, ', ')}. Renew them under “Connected shops”.`,
  },
  'zh-CN': {
    keys: lines => `以下应用的密钥由该成员创建，目前仍然有效：${listNames(lines, '、')}。请在“应用管理”页面更换密钥。`,
    shops: lines =>
      `以下已接入店铺的密钥由该成员创建，目前仍然有效：${listNames(lines, '、')}。请在“接入店铺”页面更换密钥。`,
  },
}
const listNames = (lines: string, separator: string) => lines.split('\n').join(separator)

/** What was done, and what an owner asks for. */
function changeTexts(told: MemberChange): Record<Language, { done: string; asked: string }> {
  const { change, email, role } = told
  const { name } = merchantRoleTexts[role]
  const by = describeDoer(told)
  const first = told.doer ? by.en.charAt(0).toUpperCase() + by.en.slice(1) : by.en
  const texts: Record<MemberChange['change'], Record<Language, { done: string; asked: string }>> = {
    invited: {
      en: { done: `${first} invited ${email} (${name.en})`, asked: `${first} asks to invite ${email} (${name.en})` },
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
        done: `${first} changed the role of ${email} to ${name.en}`,
        asked: `${first} asks to change the role of ${email} to ${name.en}`,
      },
      'zh-CN': {
        done: `${by['zh-CN']} 已将 ${email} 的角色改为${name['zh-CN']}`,
        asked: `${by['zh-CN']} 申请将 ${email} 的角色改为${name['zh-CN']}`,
      },
    },
    removed: {
      en: { done: `${first} removed ${email}`, asked: `${first} asks to remove ${email}` },
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

/** Returns the mail to an owner about who belongs to the shop. */
export function renderOwnerMail(language: Language, params: Record<string, string>): Mail {
  const change = params as unknown as MemberChange
  const state = change.waits ? 'asked' : 'done'
  const subject = changeTexts(change)[language][state]
  const text = {
    en: `${change.shop}: ${subject}. ${advice[state].en}\n`,
    'zh-CN': `商户${change.shop}：${subject}。${advice[state]['zh-CN']}\n`,
  }
  const known = (['keys', 'shops'] as const).flatMap(name => {
    const lines = change[name]
    return lines ? `\n${keyAdvice[language][name](lines)}\n` : []
  })
  return { subject, text: [text[language], ...known].join('') }
}

/** Returns the mail to the person whose part in a shop changed. */
export function renderMemberMail(language: Language, params: Record<string, string>): Mail {
  const told = params as unknown as MemberChange
  const { change, shop, role } = told
  const by = describeDoer(told)
  const roleName = merchantRoleTexts[role].name
  const subjects: Record<Language, string> =
    change === 'removed'
      ? { en: `You no longer belong to ${shop}`, 'zh-CN': `您已被移出商户${shop}` }
      : { en: `Your role in ${shop} is now ${roleName.en}`, 'zh-CN': `您在商户${shop}的角色已改为${roleName['zh-CN']}` }
  const texts: Record<Language, string> = {
    en: `${subjects.en}. This was done by ${by.en}.\n`,
    'zh-CN': `${subjects['zh-CN']}。操作人：${by['zh-CN']}。\n`,
  }
  return { subject: subjects[language], text: texts[language] }
}
