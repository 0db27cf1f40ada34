import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { ChainLogo } from '../../ui/logos/Logo.tsx'

type Collectable = RouteData<'GET /api/v1/account/sweep'>['list'][number]

const underWayMs = 5_000

/** What waits on deposit addresses, by network, with a button that collects it. */
export function DepositCollection() {
  const t = useMessages('withdrawals')
  const [chosen, setChosen] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/v1/account/sweep', {}),
    refetchInterval: ({ state }) => (state.data?.list.some(each => each.requested) ? underWayMs : false),
  })
  const shown = data?.list.find(each => each.network_id === chosen)
  return (
    <Card title={t.aggregate}>
      <p className="mb-3 text-[13px] text-ink-3">{t.aggregateText}</p>
      {data ? (
        <ul className="divide-y divide-line border-t border-line">
          {data.list.map(each => (
            <li key={each.network_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <span className="inline-flex w-36 items-center gap-2 text-sm">
                <ChainLogo chain={each.chain} />
                {each.chain}
              </span>
              <span className="flex min-w-0 grow flex-wrap gap-x-4 gap-y-1 text-sm">
                {each.tokens.map(token => (
                  <Amount key={token.token} value={token.amount} unit={token.token} />
                ))}
                {each.tokens.length === 0 && <span className="text-ink-3">{t.nothingToAggregate}</span>}
              </span>
              {each.requested ? (
                <Badge kind="processing">{t.aggregating}</Badge>
              ) : (
                <Button
                  call="POST /api/v1/account/sweep"
                  size="small"
                  disabled={!each.open || each.tokens.length === 0}
                  aria-label={t.aggregateNowOn(each.chain)}
                  onClick={() => setChosen(each.network_id)}
                >
                  {t.aggregateNow}
                </Button>
              )}
              {!each.open && <p className="w-full text-xs text-ink-3">{t.aggregateClosed}</p>}
            </li>
          ))}
        </ul>
      ) : (
        <Loading of={{ error, refetch }} className="h-24 w-full" />
      )}
      {shown && <CollectModal of={shown} onClose={() => setChosen(null)} />}
    </Card>
  )
}

/** Shows what is collected and its gas before the click. */
function CollectModal({ of, onClose }: { of: Collectable; onClose(): void }) {
  const t = useMessages('withdrawals')
  return (
    <ActionForm
      title={t.aggregateNowOn(of.chain)}
      text={t.aggregateNote}
      verb={t.aggregateNow}
      call={() => api('POST /api/v1/account/sweep', { body: { network_id: of.network_id } })}
      refreshes={['GET /api/v1/account/sweep']}
      done={t.aggregateRequested}
      onClose={onClose}
    >
      <DetailList
        rows={[
          ...of.tokens.map(
            token =>
              [
                token.token,
                <span key={token.token}>
                  <Amount exact value={token.amount} unit={token.token} />
                  <span className="text-ink-3"> · {t.addresses(token.addresses)}</span>
                </span>,
              ] as [string, React.ReactNode],
          ),
          [t.aggregateValue, <Amount key="value" value={of.usdt_value} unit="USDT" />],
          [
            t.aggregateGas,
            <span key="gas">
              <Amount value={of.gas} unit={of.gas_token} />
              {of.gas_usdt && (
                <>
                  {' '}
                  ≈ <Amount value={of.gas_usdt} unit="USDT" />
                </>
              )}
            </span>,
          ],
        ]}
      />
      {of.small > 0 && <p className="-mt-1 text-[13px] text-ink-3">{t.aggregateSmall(of.small)}</p>}
    </ActionForm>
  )
}
