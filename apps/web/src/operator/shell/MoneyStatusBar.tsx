import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { language } from '../../i18n/language.ts'
import { separators, withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { displayTimeZone } from '../../lib/zone.ts'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import { useRead } from '../kit/api.ts'
import { Link } from '../kit/links.tsx'
import { formatMoment, formatTimeAgo } from '../kit/times.ts'

type Data = OperatorData<'GET /api/operator/v1/accounted'>

/** Assets that the line names; the page of today lists all. */
const namedMax = 3

/**
 * Whether all money is accounted for: one line on top of every page, red while some is missing. Names the zone of the
 * times below it.
 */
export function MoneyStatusBar() {
  const t = useMessages('operator')
  const common = useMessages('common')
  const { data, error, isRefused } = useRead('GET /api/operator/v1/accounted', {})
  const inLanguage = useCell(language)
  const state = error ? 'unknown' : data?.state
  const isMissing = state === 'missing' || state === 'doubted'
  const text = error
    ? t.accountedUnread
    : data &&
      (state === 'missing'
        ? missingText
        : state === 'doubted'
          ? doubtedText
          : state === 'unknown'
            ? unknownText
            : goodText)(t, data, inLanguage)
  const zone = useCell(displayTimeZone)
  const incident = [...(data?.missing ?? []), ...(data?.doubted ?? [])].find(each => each.incident !== '')?.incident
  if (isRefused) return null
  return (
    <div
      // A screen reader hears of missing money at once.
      role={isMissing ? 'alert' : 'status'}
      data-state={state}
      className={cx(
        'flex min-h-9 flex-wrap items-center gap-x-2 border-b px-4 py-1.5 text-[13px] sm:px-6',
        isMissing && 'border-bad bg-bad-soft font-semibold text-bad',
        state === 'unknown' && 'border-line-strong bg-sunken font-medium text-ink',
        (state === 'accounted' || !state) && 'border-line bg-surface text-ink-2',
      )}
    >
      {text && (
        <>
          <Icon
            name={state === 'accounted' ? 'check' : 'warning'}
            className={cx('shrink-0', state === 'accounted' && 'text-good')}
          />
          <span className="min-w-0 flex-1 wrap-anywhere max-sm:basis-4/5">{text}</span>
          {isMissing && (
            <Link
              {...(incident
                ? ({ to: '/incidents/$id', params: { id: incident } } as const)
                : ({ to: '/incidents' } as const))}
              className="ml-auto shrink-0 text-bad underline"
            >
              {t.showIncident}
            </Link>
          )}
        </>
      )}
      {zone && (
        <span className={cx('shrink-0 font-normal', isMissing ? 'max-sm:ml-6' : 'ml-auto text-ink-3')}>
          {common.zone(zone)}
        </span>
      )}
    </div>
  )
}

/** Names the largest count of assets that fits, and how many more there are. */
function missingText(t: Messages<'operator'>, { missing, now }: Data, inLanguage: Language): string {
  const named = missing
    .slice(0, namedMax)
    .map(each =>
      t.missingMoney(
        `${formatAmount(each.missing, inLanguage, each.token)} ${each.token}`,
        each.chain,
        formatMoment(each.since, now),
      ),
    )
  const more = missing.length - named.length
  const stop = missing.every(each => each.stopped) ? t.withdrawalsStopped : t.withdrawalsGoOn
  return [...named, ...(more > 0 ? [t.missingMore(more)] : []), stop].join(separators[inLanguage].clauses)
}

const doubtedText = (t: Messages<'operator'>, { doubted, now }: Data, inLanguage: Language): string =>
  doubted
    .slice(0, namedMax)
    .map(each =>
      t.doubtedMoney(
        `${formatAmount(each.amount, inLanguage, each.token)} ${each.token}`,
        each.chain,
        formatMoment(each.since, now),
      ),
    )
    .join(separators[inLanguage].clauses)

function unknownText(t: Messages<'operator'>, { unknown, now }: Data, inLanguage: Language): string {
  const named = unknown.slice(0, namedMax).map(each => {
    const asset = withNote(each.token, each.chain)
    if (each.compared_time === 0) return t.neverCompared(asset)
    const compared = t.comparedAgo(asset, formatTimeAgo(t, each.compared_time, now))
    return each.why === 'old' ? compared : t.comparedBut[each.why](compared)
  })
  const more = unknown.length - named.length
  return t.notCompared([...named, ...(more > 0 ? [`+${more}`] : [])].join(separators[inLanguage].items))
}

const goodText = (t: Messages<'operator'>, { compared_time, now, stopped }: Data, inLanguage: Language): string =>
  [t.accounted(formatTimeAgo(t, compared_time, now)), ...(stopped ? [t.withdrawalsStopped] : [])].join(
    separators[inLanguage].clauses,
  )
