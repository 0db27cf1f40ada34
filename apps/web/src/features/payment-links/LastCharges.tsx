import { isPayableStatus } from '@coffer/contract/codes.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { PaymentStatusText } from '../../ui/feedback/StateBadge.tsx'

/** The last payments of the counter. One that was left while it waits is opened again from here. */
export function LastCharges() {
  const t = useMessages('payment-links')
  const inLanguage = useCell(language)
  const { data } = useQuery(apiQuery('GET /api/v1/collect', {}))
  if (!data || data.list.length === 0) return null
  return (
    <section className="mt-6">
      <h2 className="mb-1 text-[13px] font-semibold text-ink-2">{t.last}</h2>
      <ul className="divide-y divide-line">
        {data.list.map(({ trade_no, note, amount, currency, status, partial, created_time }) => (
          <li key={trade_no}>
            <Link
              look="none"
              to={isPayableStatus(status) ? '/collect' : '/record'}
              search={{ trade_no }}
              className="flex min-h-14 items-center justify-between gap-3 py-2"
            >
              <span className="min-w-0">
                <span className="num block text-[15px] font-medium wrap-anywhere">
                  {formatExactAmount(amount, inLanguage)} {currency}
                </span>
                <span className="line-clamp-1 text-xs break-all text-ink-3">
                  <Time seconds={created_time} />
                  {note && ` · ${note}`}
                </span>
              </span>
              <span className="shrink-0 text-[13px]">
                {partial ? t.isPartial : isPayableStatus(status) ? t.waits : <PaymentStatusText status={status} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
