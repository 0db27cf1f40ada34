import type { Data } from '@coffer/contract'
import { isCharged } from '@coffer/contract/billing/routes.ts'
import { roundDecimal } from '@coffer/contract/kit/decimal.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../../ui/classes.ts'
import { Amount, None } from '../../ui/data/Values.tsx'

type Bill = Pick<Data<'GET /api/v1/account/billing'>['current'], 'lines' | 'total' | 'unvalued' | 'fiat'>

/** What a month cost: a line per item and token, and the total. */
export function Lines({ lines, total, unvalued, fiat }: Bill) {
  const t = useMessages('billing')
  const inLanguage = useCell(language)
  if (lines.length === 0) return <p className="text-sm text-ink-3">{t.nothingYet}</p>
  const cell = 'border-b border-line py-2.5 pl-4 first:pl-0'
  /** A column whose contents stand in the others on narrow screens. */
  const wide = 'max-sm:hidden'
  const worth = (value: string | null) =>
    value === null ? <None /> : <Amount exact value={roundDecimal(value, 2)} unit={fiat} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    <section aria-label={t.plan} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="text-left text-[13px] text-ink-3">
            {[t.item, t.count, t.amount, t.value].map((title, index) => (
              <th
                key={title}
                scope="col"
                className={cx(
                  cell,
                  'font-medium whitespace-nowrap',
                  index > 0 && 'text-right',
                  (title === t.count || title === t.amount) && wide,
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <tr key={`${line.item} ${line.token} ${line.chain}`}>
              <td className={cx(cell, 'sm:min-w-36')}>
                <div>{t.items[line.item]}</div>
                <div className="text-xs text-ink-3">
                  {line.token} · {line.chain}
                  {!isCharged(line.item) && ` · ${t.notCharged}`}
                  <span className="sm:hidden"> ×{formatCount(line.count, inLanguage)}</span>
                </div>
              </td>
              <td className={cx(cell, wide, 'num text-right')}>{formatCount(line.count, inLanguage)}</td>
              <td className={cx(cell, wide, 'text-right')}>
                <Amount value={line.amount} unit={line.token} />
              </td>
              <td className={cx(cell, 'text-right max-[359px]:**:whitespace-normal')}>
                {worth(line.value)}
                <div className="text-xs sm:hidden">
                  <Amount value={line.amount} unit={line.token} />
                </div>
                {line.unvalued > 0 && (
                  <div className="text-xs text-ink-3">{t.without(formatCount(line.unvalued, inLanguage))}</div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="pt-3 text-left">
              {t.total}
            </th>
            <td className={wide} colSpan={2} />
            <td className="pt-3 text-right">{worth(total)}</td>
          </tr>
        </tfoot>
      </table>
      {unvalued > 0 && (
        <p className="mt-2 text-xs text-ink-3">{t.unvalued(formatCount(unvalued, inLanguage), unvalued)}</p>
      )}
    </section>
  )
}
