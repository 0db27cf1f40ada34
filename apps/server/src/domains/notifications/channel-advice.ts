import type { Language } from '@coffer/contract/languages.ts'
import type { ChatSetup } from '../../outside/delivery.ts'

/** What somebody does whose chat or system takes no messages any more. */
const advice: Record<ChatSetup | 'gone', Record<Language, string>> = {
  gone: {
    en: 'The service takes nothing for it any more, so it was removed here. Add it again if you still want it.',
    'zh-CN': '服务方已不再接收发往该渠道的消息，因此已在此移除。如仍需接收，请重新添加。',
  },
  signature: {
    en: 'The group refuses the signature. Remove it here, and add it again with the signing secret of its robot.',
    'zh-CN': '群机器人的签名校验未通过。请在此移除该渠道，并填写机器人的签名密钥后重新添加。',
  },
  keyword: {
    en: 'The robot asks for a keyword that messages do not have. Choose “Signature” in its security settings, and add it here again with the secret; or remove the keyword, and send a test.',
    'zh-CN':
      '群机器人设置了关键词，消息中不含该关键词。请在其安全设置中改用“签名校验”，并填写密钥后重新添加；或删除关键词后发送测试。',
  },
  sender: {
    en: 'The robot takes messages from listed IP addresses only. Add that of this server to its security settings, and send a test.',
    'zh-CN': '群机器人仅接受白名单 IP 的消息。请将本服务器的 IP 加入其安全设置，然后发送测试。',
  },
  group: {
    en: 'The group does not let it post, such as while it is archived. Allow it there, and send a test.',
    'zh-CN': '该群目前不允许发送消息，例如已归档。请在群设置中允许后发送测试。',
  },
}

/** Says what to do about a chat or system that is stopped or gone; empty for anything else. */
export const adviseOnChannel = (refused: string, language: Language): string =>
  Object.hasOwn(advice, refused) ? advice[refused as keyof typeof advice][language] : ''
