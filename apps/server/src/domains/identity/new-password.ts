import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'

/** Words that, with digits added, make up most of the passwords on lists of the commonest. */
const words = new Set(
  `access admin administrator amanda andrew angel april arsenal ashley august autumn bailey baseball basketball batman
  bitcoin blink charlie cheese chelsea chocolate coffer computer cookie corvette cowboy daniel december default demo diamond
  dragon eagle eminem family february ferrari flower football freedom friday fuckyou gandalf george ginger google guest hannah
  happy harley hello hockey hunter iloveyou internet jackson january jasmine jennifer jessica jordan joshua july june justin
  killer letmein liverpool login london love loveme lovely maggie march marina master matrix matthew mercedes merchant michael
  michelle microsoft money monday monkey mother mustang naruto nicole ninja november nothing october orange pass passwd
  password payment pepper phoenix pokemon prince princess purple rainbow ranger root samsung saturday secret september
  shadow silver simple slipknot snoopy soccer spiderman spring starwars summer sunday sunshine superman support
  sweet taylor test tester testing thomas thunder tigger trustno user victoria welcome whatever william winter wizard
  yankees yellow zaq zxc`.split(/\s+/),
)

/** Rows and columns of keyboards, and the alphabet. */
const runs = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgb',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb',
].concat('1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', 'zaq12wsxcde34rfv', 'azertyuiop')
const leet: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/**
 * Reports whether a password is one that everybody tries first: a well-known word, the name of the mailbox, a keyboard run or
 * one character, perhaps twice, in leet or between digits. Requires a password that satisfies the rule for passwords.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase()
  const name = email.split('@', 1)[0]!.replace(/[^a-z0-9]/g, '') || '@'
  const isKnown = (text: string) =>
    words.has(text) || text === name || runs.some(run => text.length > 2 && run.includes(text))
  const bare = lower.replace(/^\d+|\d+$/g, '')
  const forms = [lower, lower.replace(/\d+$/, ''), bare].flatMap(text => [
    text,
    text.replace(/[013457]/g, digit => leet[digit]!),
    text.replace(/\d/g, ''),
  ])
  return forms.some(form => isKnown(form) || isKnown(half(form)) || /^(.)\1*$/.test(form))
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
  if (isCommonPassword(password, email) || (await breached()))
    throw new Refusal('common_password', { field: 'password' })
}
