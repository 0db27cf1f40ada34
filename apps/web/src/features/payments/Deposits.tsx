import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { TransactionHash } from '../../ui/data/TransactionHash.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { Progress } from '../../ui/feedback/Progress.tsx'
import { PaymentExceptionText } from '../../ui/feedback/StateBadge.tsx'
import { computeConfirmationProgress, type PaymentDetail } from './detail.ts'

type Deposit = PaymentDetail['chain_confirmation_information'][number]

const looks: Record<Deposit['state'], BadgeKind> = {
  seen: 'processing',
  credited: 'success',
  dropped: 'error',
  undone: 'error',
}

/** Whether the deposit counts as incoming money. */
const counts: Record<Deposit['state'], boolean> = { seen: true, credited: true, dropped: false, undone: false }

/** The deposits of a payment, as seen on the chain. */
export function Deposits({ payment }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const deposits = payment.chain_confirmation_information
  if (deposits.length === 0) return <p className="not-first:mt-3 text-[13px] text-ink-3">{t.noDeposits}</p>
  return (
    <ul className="mt-3 flex flex-col gap-3">
      {deposits.map(deposit => (
        <li key={`${deposit.txid} ${deposit.amount}`} className="rounded-lg border border-line px-4 pt-3 pb-1">
          <DepositFacts deposit={deposit} aside={!payment.mixed_payment && deposit.token !== payment.token} />
        </li>
      ))}
    </ul>
  )
}

/** `aside`: it does not count towards the payment. */
function DepositFacts({ deposit, aside }: { deposit: Deposit; aside: boolean }) {
  const t = useMessages('payment-details')
  const inLanguage = useCell(language)
  const { confirmations, required_confirmations: needed, state } = deposit
  const text = t.confirmations(
    formatCount(Math.min(confirmations, needed), inLanguage),
    formatCount(needed, inLanguage),
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Amount
          {...(counts[state] && { flow: 'in' })}
          exact
          value={deposit.amount}
          unit={deposit.token}
          className="font-semibold"
        />
        <span className="flex items-center gap-2">
          {deposit.late && <PaymentExceptionText exception="late" />}
          <Badge kind={looks[state]}>{deposit.held ? t.held : t.depositStates[state]}</Badge>
        </span>
      </div>
      {state === 'seen' && (
        <div className="mt-2">
          <Progress label={text} value={computeConfirmationProgress(deposit)} />
        </div>
      )}
      <p className="num mt-1 mb-1 text-xs text-ink-3">{deposit.held ? t.heldText : text}</p>
      {aside && counts[state] && <p className="mb-1 text-[13px] text-ink-2">{t.notCounted}</p>}
      <DetailList
        rows={[
          [t.txid, <TransactionHash key="tx" txid={deposit.txid} url={deposit.browser_url} label={t.txid} />],
          [t.network, [deposit.chain, deposit.net].filter(Boolean).join(' · ')],
          [t.from, <CopyText key="from" look="groups" value={deposit.from_address} label={t.from} />],
          [t.to, <CopyText key="to" look="groups" value={deposit.to_address} label={t.to} />],
          [t.gas, <Amount exact key="gas" value={deposit.gas} unit={deposit.gas_token} />],
          [t.seenAt, <Time key="seen" seconds={deposit.seen_time} />],
          [t.confirmedAt, <Time key="confirmed" seconds={deposit.confirmation_time} />],
        ]}
      />
    </>
  )
}
