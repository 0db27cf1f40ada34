import { isPayableStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { apiQuery } from '../api/query.ts'
import { playPaidSound } from '../features/payment-links/sound.ts'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'

/** How often (ms) the payments of the counter are read while one is open, as events may not arrive. */
const pollMs = 15_000

/**
 * Announces on every page that a payment of the counter has been paid, but for the one whose page announces it itself.
 */
export default function CounterNews() {
  const t = useMessages('shell')
  const shown = useLocation({ select: ({ pathname, search }) => pathname === '/collect' && search.trade_no })
  const { data } = useQuery({
    ...apiQuery('GET /api/v1/collect', {}),
    refetchInterval: ({ state }) => (state.data?.list.some(({ status }) => isPayableStatus(status)) ? pollMs : false),
  })
  const before = useRef(new Set<string>())
  useEffect(() => {
    for (const { trade_no, status, amount, currency } of data?.list ?? []) {
      if (isPayableStatus(status)) before.current.add(trade_no)
      else if (before.current.delete(trade_no) && status === paymentStatus.paid && trade_no !== shown) {
        showToast('success', t.counterPaid(`${formatExactAmount(amount, language.get())} ${currency}`))
        playPaidSound()
      }
    }
  }, [data, shown, t])
  return null
}
