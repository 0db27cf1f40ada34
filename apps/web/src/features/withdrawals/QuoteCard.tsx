import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useIsAccountHeld } from '../../kit/useIsAccountHeld.ts'
import { useCell } from '../../lib/useCell.ts'
import { staleClass } from '../../ui/classes.ts'
import { Card } from '../../ui/data/Card.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { formatApprovalReason, formatRuleName, type PolicyReport, ruleAnswerOf, type WithdrawalQuote } from './quote.ts'

interface Props {
  /** The quote as it is read. */
  quote: { error: Error | null; refetch(): unknown }
  data: WithdrawalQuote | undefined
  /** Whether an amount has been entered. */
  hasAmount: boolean
  /** Whether the quote is of what stands in the form now. */
  current: boolean
}

/** Rate, fees, what arrives, and what the policy says to it, before anything is requested. */
export function QuoteCard({ quote: { error, refetch }, data: quote, hasAmount, current }: Props) {
  const t = useMessages('withdrawals')
  // A rule passes nothing while the account is held, as the notice above the page says.
  const isHeld = useIsAccountHeld()
  return (
    <div className="flex flex-col gap-4">
      <Card title={t.quote}>
        {error && error.name !== 'RequestRefused' && !quote ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : quote && hasAmount ? (
          <div aria-live="polite" className={current ? '' : staleClass}>
            <QuoteFacts quote={quote} />
          </div>
        ) : (
          <p className="text-[13px] text-ink-3">{t.quoteEmpty}</p>
        )}
      </Card>
      {quote && hasAmount && quote.policy.length > 0 && (
        <Card title={t.policy}>
          <div className={current ? '' : staleClass}>
            <PolicyReportList reports={quote.policy} answers={!isHeld} />
            {!isHeld && quote.outcome === 'approval' && (
              <p className="mt-3 text-[13px] text-ink-2">{formatApprovalReason(quote, t)}</p>
            )}
          </div>
        </Card>
      )}
    </div>
  )
}

function QuoteFacts({ quote }: { quote: WithdrawalQuote }) {
  const t = useMessages('withdrawals')
  const { token } = quote
  return (
    <DetailList
      rows={[
        [t.amount, <Amount exact key="amount" value={quote.amount} unit={token} />],
        [
          t.rate,
          <span key="rate" className="num">
            1 {token} = <Amount exact value={quote.rate.price} unit="USDT" />
          </span>,
        ],
        [t.feeOf(formatBasisPoints(quote.fee_bps)), <Amount exact key="fee" value={quote.fee} unit={token} />],
        [t.gas, <Amount exact key="gas" value={quote.gas} unit={token} />],
        [t.receives, <Amount exact key="receives" value={quote.receives} unit={token} className="font-semibold" />],
        ...(token === 'USDT' ? [] : [[t.value, <Amount key="value" value={quote.usdt_value} unit="USDT" />] as const]),
      ]}
    />
  )
}

const looks = { allowed: 'success', notAllowed: 'error', required: 'processing' } as const

/** The rules of the policy with their answers, or without them where there is no request. */
export function PolicyReportList({ reports, answers = true }: { reports: readonly PolicyReport[]; answers?: boolean }) {
  const t = useMessages('withdrawals')
  const inLanguage = useCell(language)
  const money = (text: string) => formatAmount(text, inLanguage)
  return (
    <ul aria-label={t.policy} className="divide-y divide-line">
      {reports.map((report, index) => {
        const answer = ruleAnswerOf(report)
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: rules keep their order
            key={index}
            className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 py-2.5 first:pt-0 last:pb-0"
          >
            <span className="min-w-28 grow basis-0 text-sm">
              {formatRuleName(report, t)}
              {report.limit !== '' && (
                <span className="num block text-xs text-ink-3">
                  {report.rule === 'approval' || report.rule === 'fresh_factor'
                    ? t.unchecked[report.per === 'merchant' ? 'merchant' : 'destination'](
                        money(report.limit),
                        money(report.used || '0'),
                      )
                    : report.rule === 'single'
                      ? `${money(report.limit)}\u00a0USDT`
                      : t.left(money(report.left), money(report.limit))}
                </span>
              )}
              {!report.allowed && report.until > 0 && (
                <span className="block text-xs text-ink-3">
                  {t.opensAt} <Time seconds={report.until} />
                </span>
              )}
            </span>
            {answers && <Badge kind={looks[answer]}>{t[answer]}</Badge>}
          </li>
        )
      })}
    </ul>
  )
}
