import { useMessages } from '../../i18n/messages.ts'
import { Time } from '../../ui/data/Values.tsx'
import { paymentText } from '../../ui/feedback/StateBadge.tsx'
import type { PaymentDetail } from './detail.ts'

/** What happened to a payment, the first thing first. */
export function History({ entries }: { entries: PaymentDetail['history'] }) {
  const t = useMessages('payments')
  const common = useMessages('common')
  return (
    <ol className="text-[13px]">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place
        <li key={index} className="relative flex items-baseline gap-3 pb-3 pl-5 last:pb-0">
          <span aria-hidden="true" className="absolute top-1.5 left-0.5 size-2 rounded-full bg-line-strong" />
          {index < entries.length - 1 && (
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5.5px] w-px bg-line" />
          )}
          <span className="min-w-0 grow">
            {t.events[entry.event] ?? entry.event}
            <span className="ml-2 text-ink-3">
              {paymentText(common, entry.status)}
              {entry.exception !== 'none' && ` · ${t.exceptions[entry.exception]}`}
            </span>
          </span>
          <Time seconds={entry.time} className="text-xs text-ink-3" />
        </li>
      ))}
    </ol>
  )
}
