import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { truncateDecimal } from '@coffer/contract/kit/truncate-decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'

/**
 * Mode of the market panel: followed tokens, or search. `text` is the field's content, `name` the debounced search term
 * (500 ms).
 */
export type MarketMode = { mode: 'follow' } | { mode: 'search'; text: string; name: string }

export type MarketEvent =
  /** The search field received focus. */
  | { type: 'focus' }
  | { type: 'type'; text: string }
  /** Typing paused for 500 ms. */
  | { type: 'settle' }
  /** Focus or pointer left the panel, or Escape was pressed. */
  | { type: 'leave' }

export const initialMarketMode: MarketMode = { mode: 'follow' }

/** Token names are uppercase. */
const nameOf = (text: string): string => text.toUpperCase().slice(0, nameMax)
const nameMax = 20

export function reduceMarketMode(state: MarketMode, event: MarketEvent): MarketMode {
  switch (event.type) {
    case 'focus':
      return state.mode === 'search' ? state : { mode: 'search', text: '', name: '' }
    case 'type':
      return { mode: 'search', text: nameOf(event.text), name: state.mode === 'search' ? state.name : '' }
    case 'settle':
      return state.mode === 'search' && state.name !== state.text.trim() ? { ...state, name: state.text.trim() } : state
    case 'leave':
      return initialMarketMode
  }
}

/** Adds or removes a token; null if 4 are followed already. */
export function toggleFollow(followed: readonly string[], token: string): string[] | null {
  if (followed.includes(token)) return followed.filter(each => each !== token)
  return followed.length < limits.marketFollowMax ? [...followed, token] : null
}

/** Formats a 24-hour change, a signed string, with sign and two decimals; null if unknown. */
export function formatPriceChange(change: string, language: Language): string | null {
  const [, sign, digits] = /^([+-]?)(\d+(?:\.\d+)?)%?$/.exec(change) ?? []
  if (digits === undefined) return null
  const text = formatAmount(truncateDecimal(digits, 2), language)
  if (!/[1-9]/.test(text)) return `${text}%`
  return `${sign === '-' ? '−' : '+'}${text}%`
}
