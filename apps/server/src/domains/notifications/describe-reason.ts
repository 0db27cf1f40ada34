import { findEvent } from '@coffer/contract/events.ts'
import { merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import type { Message } from './message.ts'

type Given = Pick<Message, 'realm' | 'shop' | 'role' | 'language' | 'events'>

interface Reason {
  shop: string
  role: string
  page: string
  isAlways: boolean
}

const asMember: Record<Language, (reason: Reason) => string> = {
  en: ({ shop, role, page, isAlways }) =>
    `You get this as ${role.toLowerCase()} of ${shop}. ${isAlways ? 'Messages like this always come. What reaches you' : 'Choose what reaches you'}: ${page}`,
  'zh-CN': ({ shop, role, page, isAlways }) =>
    `您作为${shop}的${role}收到此消息。${isAlways ? '此类消息始终发送。查看接收设置' : '选择接收方式'}：${page}`,
}
const aboutPerson: Record<Language, string> = {
  en: 'You get this because it is about your account.',
  'zh-CN': '此消息与您的账号有关。',
}
const inChat: Record<Language, (of: { shop: string; page: string }) => string> = {
  en: ({ shop, page }) => `A member of ${shop} has this sent here: ${page}`,
  'zh-CN': ({ shop, page }) => `由${shop}的成员设置发送至此：${page}`,
}

const pageOf = ({ config }: Pick<Deps, 'config'>) => `${config.publicUrl}/user/messages`

/** Says in a line why a message came, and where its reader chooses what does; undefined for operators. */
export function describeReason(deps: Pick<Deps, 'config'>, given: Given): string | undefined {
  const { realm, shop, role, language, events } = given
  if (realm !== 'shop') return undefined
  if (!role) return aboutPerson[language]
  const isAlways = events.some(each => findEvent(each.event)?.urgency === 'lost')
  return asMember[language]({ shop, role: merchantRoleTexts[role].name[language], page: pageOf(deps), isAlways })
}

/** The same for everybody in a chat, where one of them has it sent. */
export const describeReasonInChat = (deps: Pick<Deps, 'config'>, { shop, language }: Given): string =>
  inChat[language]({ shop, page: pageOf(deps) })
