import { paymentStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Facts } from '../../ui/Facts.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'
import { Amount, CopyText, None, Time } from '../../ui/Values.tsx'
import { PaymentStatus } from './columns.tsx'
import { difference, type PaymentDetail } from './detail.ts'

/** What a payment is about: the sum first, then everything that can be asked about it. */
export function PaymentFacts({ payment }: { payment: PaymentDetail }) {
  const t = useMessages('record')
  const common = useMessages('common')
  const { rate, token } = payment
  const off = difference(payment.amount, payment.paid_amount)
  const open = payment.status === paymentStatus.toBePaid || payment.status === paymentStatus.chainFailure
  return (
    <div className="px-5">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div>
          <Amount value={payment.usdt_amount} unit="USDT" className="text-2xl font-semibold tracking-tight" />
          {payment.fiat_amount !== '' && (
            <div className="text-[13px] text-ink-3">
              <Amount value={payment.fiat_amount} unit={payment.fiat_name} decimals={2} />
            </div>
          )}
        </div>
        <div className="flex items-center gap-2">
          {payment.exception !== 'none' && (
            <span className="text-xs text-ink-2">{t.exceptions[payment.exception]}</span>
          )}
          <PaymentStatus status={payment.status} />
        </div>
      </div>
      <Facts
        rows={[
          [t.merchantOrder, <CopyText key="out" full value={payment.out_trade_no} label={t.merchantOrder} />],
          [t.platformOrder, <CopyText key="no" full value={payment.trade_no} label={t.platformOrder} />],
          [t.application, payment.apply_name],
          [t.appid, <CopyText key="app" value={payment.appid} label={t.appid} />],
          [t.asked, <Amount key="asked" value={payment.amount} unit={token} />],
          [
            t.arrived,
            payment.token === '' ? <None key="paid" /> : <Amount key="paid" value={payment.paid_amount} unit={token} />,
          ],
          ...(off && (off.kind === 'surplus' || (open && Number(payment.paid_amount) > 0))
            ? [[t[off.kind], <Amount key="off" value={off.amount} unit={token} />] as const]
            : []),
          [t.fees, token === '' ? <None key="fees" /> : <Amount key="fees" value={payment.fees} unit={token} />],
          [t.token, token === '' ? t.notChosen : <TokenName key="token" token={token} chain={payment.chain} />],
          [t.contract, <CopyText key="contract" value={payment.contract} label={t.contract} />],
          [t.address, <CopyText key="address" value={payment.address} label={t.address} />],
          ...(rate
            ? [
                [
                  t.rate,
                  <span key="rate" className="num">
                    {t.rateOf(token || common.unknown, rate.price)}
                  </span>,
                ] as const,
                [t.rateSource, rate.source] as const,
                [t.rateTime, <Time key="time" seconds={rate.time} />] as const,
              ]
            : []),
          [t.created, <Time key="created" seconds={payment.created_time} />],
          [t.expires, <Time key="expires" seconds={payment.expire_time} />],
          [t.paidTime, <Time key="paidTime" seconds={payment.paid_time} />],
        ]}
      />
    </div>
  )
}
