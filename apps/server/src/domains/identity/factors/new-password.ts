import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'

/** Words of this trade, which everybody tries here first. */
const trade = [
  'bitcoin',
  'btc',
  'ethereum',
  'ether',
  'eth',
  'tether',
  'usdt',
  'usdc',
  'usd',
  'dai',
  'tron',
  'trx',
  'trc',
  'erc',
  'bnb',
  'binance',
  'okx',
  'metamask',
  'crypto',
  'coin',
  'token',
  'wallet',
  'blockchain',
  'payment',
  'payments',
  'pay',
  'payout',
  'merchant',
  'shop',
  'store',
  'withdraw',
  'withdrawal',
  'coffer',
  'admin',
  'operator',
  'owner',
]

const longestFirst = trade.toSorted((one, other) => other.length - one.length)
/** Whether a text is made of nothing but words of the trade and digits. */
const isOfTrade = (text: string) =>
  /^[\d ]+$/.test(longestFirst.reduce((left, word) => left.replaceAll(word, ' '), text))

/** The 49,000 commonest passwords, and words of this trade. Read once it is needed: it takes a few megabytes. */
let common: Promise<Set<string>> | undefined
const readCommon = async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([...dictionary['passwords-common'], ...trade, 'login', 'zaq', 'zxc'])
}

/** Rows and columns of keyboards, and the alphabet. */
const runs = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgb',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb',
].concat('1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', 'zaq12wsxcde34rfv', 'azertyuiop')
const digitsAtEnd = /(?<!\d)\d+$/
const leet: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/**
 * Reports whether a password is one that everybody tries first: one from the list of the commonest, the name of the
 * mailbox, a keyboard run or one character, perhaps twice, in leet or between digits, or words of this trade. Requires
 * a password that satisfies the rule for passwords.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  common ??= readCommon()
  const words = await common
  const lower = password.toLowerCase()
  const name = email.split('@', 1)[0]!.replace(/[^a-z0-9]/g, '') || '@'
  const isKnown = (text: string) =>
    words.has(text) || text === name || runs.some(run => text.length > 2 && run.includes(text))
  const bare = lower.replace(/^\d+/, '').replace(digitsAtEnd, '')
  const forms = [lower, lower.replace(digitsAtEnd, ''), bare].flatMap(text => [
    text,
    text.replace(/[013457]/g, digit => leet[digit]!),
    text.replace(/\d/g, ''),
  ])
  return isOfTrade(lower) || forms.some(form => isKnown(form) || isKnown(half(form)) || /^(.)\1*$/.test(form))
}

/** Returns the text that is repeated twice, or an empty one. */
const half = (text: string) => {
  const first = text.slice(0, text.length / 2)
  return first.repeat(2) === text ? first : ''
}

/**
 * Refuses a new password that is common or, if the operator has configured the check, known from breaches. Throws
 * Refusal('common_password'). A check that fails is logged and refuses nobody.
 */
export async function checkNewPassword(deps: Deps, password: string, email: string): Promise<void> {
  const breached = () =>
    deps.breached(password).catch(error => {
      deps.log.warn({ err: error }, 'passwords cannot be checked for breaches')
      return false
    })
  const refuse = (detail: Record<Language, string>) => new Refusal('common_password', { field: 'password', detail })
  if (await isCommonPassword(password, email))
    throw refuse({
      en: 'a common word, a word of this trade, your name or a keyboard row, also with digits around it',
      'zh-CN': '常见词、本行业用词、您的邮箱名或键盘连续字符，前后加数字同样不可用',
    })
  if (await breached()) throw refuse({ en: 'known from a data breach', 'zh-CN': '已在数据泄露中出现' })
}
