import type { Language } from '@coffer/contract/languages.ts'
import { limits } from '@coffer/contract/limits.ts'
import { formatAmount } from '../../../i18n/format.ts'

/**
 * The market panel shows the followed tokens (follow mode) or tokens to choose from (search mode). `text` is what stands
 * in the box, `name` what is searched for: it follows the text once nothing has been typed for 500 ms.
 */
export type MarketMode = { mode: 'follow' } | { mode: 'search'; text: string; name: string }

export type MarketEvent =
  /** The search box has the focus. */
  | { type: 'focus' }
  | { type: 'type'; text: string }
  /** Nothing was typed for 500 ms. */
  | { type: 'settle' }
  /** Focus and pointer are elsewhere, or Escape was pressed. */
  | { type: 'leave' }

export const followMode: MarketMode = { mode: 'follow' }

/** Tokens are named in capital letters. */
const nameOf = (text: string): string => text.toUpperCase().slice(0, nameMax)
const nameMax = 20

export function nextMode(state: MarketMode, event: MarketEvent): MarketMode {
  switch (event.type) {
    case 'focus':
      return state.mode === 'search' ? state : { mode: 'search', text: '', name: '' }
    case 'type':
      return { mode: 'search', text: nameOf(event.text), name: state.mode === 'search' ? state.name : '' }
    case 'settle':
      return state.mode === 'search' && state.name !== state.text.trim() ? { ...state, name: state.text.trim() } : state
    case 'leave':
      return followMode
  }
}

/** What to follow after a press on a token: without it when it was followed, with it otherwise; null when 4 are. */
export function toggleFollow(followed: readonly string[], token: string): string[] | null {
  if (followed.includes(token)) return followed.filter(each => each !== token)
  return followed.length < limits.marketFollowMax ? [...followed, token] : null
}

/** A change within 24 hours, which comes as a signed string, with its sign and two decimals; null when nobody knows. */
export function changeText(change: string, language: Language): string | null {
  const [, sign, digits] = /^([+-]?)(\d+(?:\.\d+)?)%?$/.exec(change) ?? []
  if (digits === undefined) return null
  const text = formatAmount(digits, language, 2)
  if (!/[1-9]/.test(text)) return `${text}%`
  return `${sign === '-' ? '−' : '+'}${text}%`
}
