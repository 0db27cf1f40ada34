import { shopRefusalDays } from '@coffer/contract/codes/shops.ts'
import { useState } from 'react'
import type { RouteData } from '../../../api/index.ts'
import { formatCount } from '../../../i18n/format.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useCell } from '../../../lib/useCell.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Time } from '../../../ui/data/Values.tsx'

/** Refusals that stand there before all are requested. */
const first = 3

/** What a shop and its customers were refused, the newest first. */
export function ShopRefusals({ refusals }: Pick<RouteData<'GET /api/v1/user/shop/list'>['list'][number], 'refusals'>) {
  const t = useMessages('shops')
  const inLanguage = useCell(language)
  const [all, setAll] = useState(false)
  if (refusals.length === 0) return <p className="text-[13px] text-ink-3">{t.refusedNone(shopRefusalDays)}</p>
  return (
    <section aria-label={t.refused}>
      <h4 className="text-sm font-medium">{t.refused}</h4>
      <p className="mt-0.5 text-xs text-ink-3">{t.refusedText(shopRefusalDays)}</p>
      <ul className="mt-2 divide-y divide-line border-y border-line text-[13px]">
        {(all ? refusals : refusals.slice(0, first)).map(({ code, field, text, count, last_time }) => (
          <li key={`${code} ${field}`} className="py-2">
            <p className="break-words">{text}</p>
            <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-ink-3">
              <span className="num">{t.refusedTimes(formatCount(count, inLanguage), count)}</span>
              <span>
                {t.refusedLast} <Time seconds={last_time} />
              </span>
            </p>
          </li>
        ))}
      </ul>
      {refusals.length > first && (
        <Button look="ghost" size="small" className="mt-2 -ml-3" onClick={() => setAll(!all)}>
          {all ? t.refusedFewer : t.refusedAll(refusals.length)}
        </Button>
      )}
    </section>
  )
}
