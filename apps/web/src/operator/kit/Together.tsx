import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { ReactNode } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { useRead } from './api.ts'
import { MerchantLink } from './links.tsx'
import { joinNames, useIsOneOf } from './persons.ts'

type Stakes = OperatorData<'GET /api/operator/v1/stakes'>

/** What happens, what depends on it, and whether it takes another operator; drawn in the dialog of such an action. */
export function ImpactText({
  call,
  id,
  nonce,
  alone = false,
  unread = '',
  children,
}: {
  call: TwoOperatorCall
  id: string
  nonce?: number | undefined
  /** Shows what depends on the call for another one, which one person decides. */
  alone?: boolean
  /** Said where what depends on it cannot be read. */
  unread?: string
  children: ReactNode
}) {
  const t = useMessages('operator')
  const { data, error } = useRead('GET /api/operator/v1/stakes', {
    query: { call, id, ...(nonce !== undefined && { nonce: String(nonce) }) },
  })
  const { data: accounted } = useRead('GET /api/operator/v1/accounted', {})
  const isMoney = /\/(wallets|queues)\/:id\/resume/.test(call)
  const missing =
    accounted?.missing.filter(each => isMoney && (call.includes('/queues/') || each.chain_id === id)) ?? []
  const isOneOf = useIsOneOf()
  return (
    <div className="flex flex-col gap-3">
      <p>{children}</p>
      {data ? (
        <>
          <DetailList
            rows={[
              ...missing.map(
                each =>
                  [
                    t.missing,
                    <Amount key={each.asset_id} value={each.missing} unit={`${each.token} · ${each.chain}`} />,
                  ] as const,
              ),
              ...factsOf(t, call, data),
            ]}
          />
          {!alone && (
            <p className="rounded-lg bg-sunken px-3 py-2 text-ink">
              {whoDecides(t, call, data, isOneOf(data.asked[0]?.who ?? []))}
            </p>
          )}
        </>
      ) : error && unread ? (
        <p className="rounded-lg bg-sunken px-3 py-2 text-bad">{unread}</p>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </div>
  )
}

function factsOf(t: Messages<'operator'>, call: TwoOperatorCall, { value, stopped, deposit, facts }: Stakes) {
  const rows: [string, ReactNode][] = []
  if (stopped) rows.push([t.whyStopped, formatStoredReason(stopped, language.get())])
  if (deposit) {
    const { amount, token, chain, mchid, merchant, trade_no, txid, block } = deposit
    rows.push([t.stakeFacts.amount, <Amount key="a" value={amount} unit={`${token} · ${chain}`} exact />])
    rows.push([
      t.merchant,
      <MerchantLink key="m" id={mchid}>
        {merchant || mchid}
      </MerchantLink>,
    ])
    if (trade_no) rows.push([t.payment, <CopyText key="p" look="whole" value={trade_no} />])
    rows.push([t.transaction, <CopyText key="x" look="groups" value={txid} />], [t.block, block])
  }
  for (const { name, value, unit } of facts)
    rows.push([
      t.stakeFacts[name],
      unit ? (
        <Amount key={unit} value={value} unit={unit} exact />
      ) : name === 'from' || name === 'to' ? (
        <CopyText key={name} look="groups" value={value} />
      ) : (
        value
      ),
    ])
  if (!call.endsWith('terms')) rows.push([t.stake, <Amount key="v" value={value} unit="USDT" />])
  return rows
}

function whoDecides(t: Messages<'operator'>, call: TwoOperatorCall, stakes: Stakes, hasAsked = false) {
  const { value, unpriced, two_above, others, asked: requests } = stakes
  const limit = formatCount(Number(two_above), language.get())
  // Of a level or of terms it depends on what is entered: somebody's request is named in any case.
  const [first] = requests
  if (hasAsked) return t.askedAlready
  if (first) return t.decidesSecond(joinNames(first.who), first.reason)
  if (!others) return t.decidesAlone
  if (call.endsWith('terms')) return t.decidesRaised(limit)
  if (value === '') return t.decidesUnpriced(joinList(unpriced))
  return Number(value) > Number(two_above) ? t.decidesTwo(limit) : t.decidesBelow(limit)
}
