import { useMessages } from '../../i18n/messages.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { CallbackBadge } from '../../ui/feedback/StateBadge.tsx'
import type { PaymentDetail } from './detail.ts'

/** The callbacks of a payment. */
export function Callbacks({ trade_no, callbacks }: { trade_no: string; callbacks: PaymentDetail['callbacks'] }) {
  const t = useMessages('payments')
  if (callbacks.length === 0) return <p className="text-[13px] text-ink-3">{t.noCallbacks}</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line text-[13px]">
        {callbacks.map(callback => (
          <li key={callback.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 grow">
              <span className="block font-mono text-xs">{callback.event}</span>
              <span className="text-xs text-ink-3">
                <Time seconds={callback.time} /> · <span className="num">{t.attempts(callback.attempts)}</span>
              </span>
            </span>
            <CallbackBadge status={callback.status} />
          </li>
        ))}
      </ul>
      <Link to="/callbackList" search={{ trade_no }} className="mt-2 inline-block text-[13px]">
        {t.allCallbacks}
      </Link>
    </>
  )
}
