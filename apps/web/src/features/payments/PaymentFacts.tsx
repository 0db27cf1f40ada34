import { isPayableStatus } from '@coffer/contract/codes.ts'
import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import { priceSourceName } from '@coffer/contract/labels/price-sources.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { headlineClass } from '../../ui/classes.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { Amount, NoValue, Time } from '../../ui/data/Values.tsx'
import { PaymentBadge, PaymentExceptionText } from '../../ui/feedback/StateBadge.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'
import { computePaidDifference, type PaymentDetail } from './detail.ts'
import { formatOtherPaidAssets } from './formatOtherPaidAssets.ts'

type Fact = readonly [name: string, value: React.ReactNode]

/** The amount of a payment and its state. */
export const Headline = ({ payment }: { payment: PaymentDetail }) => (
  <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
    <div className="min-w-0 grow basis-48">
      <p className={headlineClass}>
        <Figure value={payment.usdt_amount} />
      </p>
      {payment.fiat_amount !== '' && (
        <p className="text-[13px] text-ink-3">
          <Amount exact value={payment.fiat_amount} unit={payment.fiat_name} />
        </p>
      )}
    </div>
    <div className="flex items-center gap-2">
      <PaymentExceptionText exception={payment.exception} />
      <PaymentBadge status={payment.status} />
    </div>
  </div>
)

/** What was ordered. */
export function OrderFacts({ payment }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const record = useMessages('payment-columns')
  return (
    <DetailList
      rows={[
        ...(payment.subject === '' ? [] : [[t.subject, payment.subject] as const]),
        [
          record.merchantOrder,
          <CopyText key="out" look="whole" value={payment.out_trade_no} label={record.merchantOrder} />,
        ],
        [
          record.platformOrder,
          <CopyText key="no" look="groups" value={payment.trade_no} label={record.platformOrder} />,
        ],
        [record.application, payment.apply_name],
        ...(payment.collected_by ? [[t.collectedBy, payment.collected_by.email] as const] : []),
        [record.appid, <CopyText key="app" look="whole" value={payment.appid} label={record.appid} />],
        ...(payment.attach === '' ? [] : [[t.attach, payment.attach] as const]),
        ...(payment.tolerance_permille > 0 ? [[t.tolerance, `${payment.tolerance_permille / 10}%`] as const] : []),
        [record.created, <Time key="created" seconds={payment.created_time} />],
        [record.expires, <Time key="expires" seconds={payment.expire_time} />],
      ]}
    />
  )
}

/** What was paid of what was due. */
export function AmountFacts({ payment }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const record = useMessages('payment-columns')
  const { token } = payment
  const elsewhere = formatOtherPaidAssets(payment)
  const inToken = (value: string) => (token === '' ? <NoValue /> : <Amount exact value={value} unit={token} />)
  return (
    <DetailList
      rows={[
        [record.token, token === '' ? record.notChosen : <TokenName key="token" token={token} chain={payment.chain} />],
        ...(elsewhere === '' ? [] : [[record.paidElsewhere, elsewhere] as const]),
        [t.amountDue, inToken(payment.amount)],
        [t.arrived, inToken(payment.paid_amount)],
        ...differenceFact(payment, { missing: t.missing, surplus: t.surplus }),
        [
          record.fees,
          <Fee key="fee" payment={payment}>
            {inToken(payment.fees)}
          </Fee>,
        ],
        [record.paidTime, <Time key="paid" seconds={payment.paid_time} />],
      ]}
    />
  )
}

/** Where a payment is paid, once a token is chosen. */
export function AddressFacts({ payment: { address, contract } }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const record = useMessages('payment-columns')
  if (address === '') return null
  return (
    <DetailList
      rows={[
        [t.address, <CopyText key="address" look="groups" value={address} label={t.address} />],
        [record.contract, <CopyText key="contract" look="groups" value={contract} label={record.contract} />],
      ]}
    />
  )
}

/** The fee, and the rate that was applied; before, the merchant's current one. */
function Fee({ payment, children }: { payment: PaymentDetail; children: React.ReactNode }) {
  const record = useMessages('payment-columns')
  const { fee_bps: applied } = payment
  const isCharged = applied !== null || Number(payment.fees) > 0 || Number(payment.paid_amount) > 0
  const { data: user } = useQuery({ ...apiQuery('GET /api/v1/user/info', {}), enabled: !isCharged })
  const now = user && record.feeText(formatBasisPoints(user.fee_bps))
  const text =
    applied === null ? (isCharged ? record.feeRateUnknown : now) : record.feeApplied(formatBasisPoints(applied))
  return (
    <>
      {children}
      {text && <span className="block text-xs text-ink-3">{text}</span>}
    </>
  )
}

/** Shows a surplus always, and a shortfall only while a partial payment is open. */
function differenceFact(payment: PaymentDetail, names: { missing: string; surplus: string }): Fact[] {
  const off = computePaidDifference(payment.amount, payment.paid_amount)
  if (!off) return []
  if (off.kind === 'missing' && !(isPayableStatus(payment.status) && Number(payment.paid_amount) > 0)) return []
  return [[names[off.kind], <Amount exact key="off" value={off.amount} unit={payment.token} />]]
}

/** The metadata of a payment; keys and values are the merchant's own. */
export const MetadataFacts = ({ metadata }: { metadata: PaymentDetail['metadata'] }) => (
  <DetailList
    rows={Object.entries(metadata).map(([key, value]) => [key, <Value key={key} value={String(value)} />] as const)}
  />
)

const Value = ({ value }: { value: string }) => <span className="font-mono text-[13px] break-all">{value}</span>

/** The locked rate of a fiat amount to USDT. */
export function RateFacts({ rate, currency }: { rate: NonNullable<PaymentDetail['rate']>; currency: string }) {
  const t = useMessages('payment-details')
  return (
    <DetailList
      rows={[
        [
          t.rate,
          <span key="rate" className="num">
            1 {currency} = <Amount exact value={rate.price} unit="USDT" />
          </span>,
        ],
        ...(rate.spread === '0' ? [] : [[t.rateSpread, `${rate.spread}%`] as const]),
        [
          t.rateSource,
          joinList(rate.source.split(',').map(source => t.rateSources[source] ?? priceSourceName(source))),
        ],
        [t.rateTime, <Time key="time" seconds={rate.time} />],
      ]}
    />
  )
}
