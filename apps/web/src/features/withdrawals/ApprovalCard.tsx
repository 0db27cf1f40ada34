import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { ApprovalDecision, WaitingWithdrawal } from './approvals.ts'
import { formatRuleName } from './quote.ts'

interface Props {
  row: WaitingWithdrawal
  /** Given where several can be chosen. */
  checked?: boolean
  /** Whether no more can be chosen. */
  full: boolean
  onCheck(on: boolean): void
  onDecide(decision: ApprovalDecision): void
}

/** A withdrawal that waits: how much, where it goes and what is known of that, why it waits, and who asked. */
export function ApprovalCard({ row, checked, full, onCheck, onDecide }: Props) {
  const t = useMessages('approvals')
  const amount = `${formatAmount(row.amount, useCell(language), row.token)} ${row.token}`
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 items-start gap-2">
            {checked !== undefined && (
              <Checkbox
                hideLabel
                label={t.select(amount)}
                checked={checked}
                disabled={full && !checked}
                onChange={onCheck}
              />
            )}
            <div className="min-w-0">
              <p className="text-lg leading-6">
                <Amount exact value={row.amount} unit={row.token} className="font-semibold" />
              </p>
              {row.token !== 'USDT' && <Amount value={row.usdt_value} unit="USDT" className="text-[13px] text-ink-3" />}
            </div>
          </div>
          <span className="text-[13px] text-ink-3">
            <Time seconds={row.created_time} />
          </span>
        </div>
        <DetailList
          rows={[
            [t.requester, row.apply_name === '' ? row.requester : t.byKey(row.apply_name, row.requester)],
            [t.why, <Why key="why" row={row} />],
            [t.network, row.chain],
            [t.address, <CopyText key="address" look="groups" value={row.address} label={t.address} />],
            [t.history, <AddressHistory key="history" row={row} />],
            [t.receives, <Amount exact key="receives" value={row.receives} unit={row.token} />],
            [t.number, <CopyText key="number" look="groups" value={row.id} label={t.number} />],
            ...(row.remark === '' ? [] : [[t.remark, row.remark] as const]),
          ]}
        />
        <div className="flex justify-end gap-2">
          <Button aria-label={t.rejectNamed(amount)} onClick={() => onDecide('reject')}>
            {t.reject}
          </Button>
          <Button look="primary" aria-label={t.approveNamed(amount)} onClick={() => onDecide('approve')}>
            {t.approve}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** The rules that require the approval, with what they count. */
function Why({ row }: { row: WaitingWithdrawal }) {
  const t = useMessages('withdrawals')
  const inLanguage = useCell(language)
  const money = (text: string) => formatAmount(text, inLanguage)
  const asking = row.policy.filter(({ rule, allowed }) => rule === 'approval' && !allowed)
  return asking.map(report => (
    <span key={report.per} className="block">
      {formatRuleName(report, t)}
      <span className="num block text-xs text-ink-3">
        {t.unchecked[report.per === 'merchant' ? 'merchant' : 'destination'](
          money(report.limit),
          money(report.used || '0'),
        )}
      </span>
    </span>
  ))
}

/** What is known of the address: its name in the book, what it was paid, and what warned. */
function AddressHistory({ row: { destination } }: { row: WaitingWithdrawal }) {
  const t = useMessages('approvals')
  const { checkWarns } = useMessages('withdrawals')
  const inLanguage = useCell(language)
  const { label, known_time, paid, paid_value, last_time } = destination
  const value = `${formatAmount(paid_value, inLanguage, 'USDT')} USDT`
  const warnings = destination.warnings.filter(each => each !== 'first_payment')
  return (
    <>
      <span className="block">
        {label === '' ? (
          t.notInBook
        ) : (
          <>
            {t.inBook(label)}{' '}
            <span className="text-xs text-ink-3">
              {t.since} <Time day seconds={known_time} />
            </span>
          </>
        )}
      </span>
      <span className="block">
        {paid === 0 ? (
          <Warning text={t.neverPaid} />
        ) : (
          <>
            {t.paid(paid, value)}{' '}
            <span className="text-xs text-ink-3">
              {t.last} <Time day seconds={last_time} />
            </span>
          </>
        )}
      </span>
      {warnings.map(each => (
        <Warning key={each} text={checkWarns[each as keyof typeof checkWarns] ?? each} />
      ))}
    </>
  )
}

const Warning = ({ text }: { text: string }) => (
  <span className="inline-flex items-start gap-1.5">
    <Icon name="warning" size={16} className="mt-0.5 shrink-0 text-accent-text" />
    {text}
  </span>
)
