import type { RouteData } from '@coffer/contract'
import { isCharged } from '@coffer/contract/billing/items.ts'
import { roundDecimal } from '@coffer/contract/kit/decimal.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../../ui/classes.ts'
import { Amount, NoValue } from '../../ui/data/Values.tsx'

type Bill = Pick<RouteData<'GET /api/v1/account/billing'>['current'], 'lines' | 'total' | 'unvalued' | 'fiat'>

const cellClass = 'border-b border-line py-2.5 pl-4 first:pl-0'

/** A column whose contents stand in the others on narrow screens. */
const wideClass = 'max-sm:hidden'

/** What a month cost: a line per item and token, and the total. */
export function BillLines({ lines, total, unvalued, fiat }: Bill) {
  const t = useMessages('billing')
  const inLanguage = useCell(language)
  if (lines.length === 0) return <p className="text-sm text-ink-3">{t.nothingYet}</p>
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
                  cellClass,
                  'font-medium whitespace-nowrap',
                  index > 0 && 'text-right',
                  (title === t.count || title === t.amount) && wideClass,
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <Line key={`${line.item} ${line.token} ${line.chain}`} line={line} fiat={fiat} />
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="pt-3 text-left">
              {t.total}
            </th>
            <td className={wideClass} colSpan={2} />
            <td className="pt-3 text-right">
              <Worth value={total} fiat={fiat} />
            </td>
          </tr>
        </tfoot>
      </table>
      {unvalued > 0 && (
        <p className="mt-2 text-xs text-ink-3">{t.unvalued(formatCount(unvalued, inLanguage), unvalued)}</p>
      )}
    </section>
  )
}

function Line({ line, fiat }: { line: Bill['lines'][number]; fiat: string }) {
  const t = useMessages('billing')
  const inLanguage = useCell(language)
  const charge = <Amount value={line.amount} unit={line.token} />
  return (
    <tr>
      <td className={cx(cellClass, 'sm:min-w-36')}>
        <div>{t.items[line.item]}</div>
        <div className="text-xs text-ink-3">
          {line.token} · {line.chain}
          {!isCharged(line.item) && ` · ${t.notCharged}`}
          <span className="sm:hidden"> ×{formatCount(line.count, inLanguage)}</span>
        </div>
      </td>
      <td className={cx(cellClass, wideClass, 'num text-right')}>{formatCount(line.count, inLanguage)}</td>
      <td className={cx(cellClass, wideClass, 'text-right')}>{charge}</td>
      <td className={cx(cellClass, 'text-right max-[359px]:**:whitespace-normal')}>
        <Worth value={line.value} fiat={fiat} />
        <div className="text-xs sm:hidden">{charge}</div>
        {line.unvalued > 0 && (
          <div className="text-xs text-ink-3">{t.without(formatCount(line.unvalued, inLanguage))}</div>
        )}
      </td>
    </tr>
  )
}

const Worth = ({ value, fiat }: { value: string | null; fiat: string }) =>
  value === null ? <NoValue /> : <Amount exact value={roundDecimal(value, 2)} unit={fiat} />
