import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, RequestRefused, type RouteData } from '../../api/index.ts'
import { withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AddressView } from '../../kit/AddressView.tsx'
import { useSubmit } from '../../kit/useSubmit.ts'
import { cancelErrorToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'

type Currency = RouteData<'GET /api/v1/currency/list'>['list'][number]

/** Code of the refusal while the chain is not open. */
const openFirst = 10028
const isClosed = (error: unknown): error is RequestRefused =>
  error instanceof RequestRefused && error.code === openFirst

/** Chooses a token and a network, and shows the address to send it to. A chain without an address is opened first. */
export function RechargeAddress({ chains }: { chains: readonly Currency[] | undefined }) {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const [symbol, setSymbol] = useState('USDT')
  const [chosen, setNetwork] = useState('')
  const fitting = (chains ?? []).filter(({ tokens }) => tokens.some(({ token }) => token === symbol))
  const network = fitting.find(({ id }) => id === chosen) ?? (fitting.length === 1 ? fitting[0] : undefined)
  const symbols = [...new Set((chains ?? []).flatMap(({ tokens }) => tokens.map(({ token }) => token)))].sort()
  return (
    <Card className="mb-4">
      {!chains ? (
        <Skeleton className="h-44 w-full rounded-lg" />
      ) : (
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[280px_minmax(0,1fr)]">
          <div className="flex flex-col gap-4">
            <Field label={t.rechargeToken}>
              {control => (
                <Select
                  {...control}
                  value={symbol}
                  options={symbols.map(value => ({ value, label: value }))}
                  onChange={setSymbol}
                />
              )}
            </Field>
            <Field label={t.rechargeNetwork} hint={t.chooseChainHint}>
              {control => (
                <Select
                  {...control}
                  value={network?.id ?? ''}
                  placeholder={common.pleaseSelect}
                  options={fitting.map(({ id, chain, net_work }) => ({ value: id, label: withNote(chain, net_work) }))}
                  onChange={setNetwork}
                />
              )}
            </Field>
          </div>
          <div className="min-w-0 border-line max-lg:border-t max-lg:pt-6 lg:border-l lg:pl-6">
            {network ? (
              <RechargeTo network={network} symbol={symbol} />
            ) : (
              <Empty icon="wallet" title={t.rechargeTo} text={t.chooseToken} />
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

/** The address of a token on a network, or the button that opens the network. */
function RechargeTo({ network, symbol }: { network: Currency; symbol: string }) {
  const tokenId = network.tokens.find(({ token }) => token === symbol)?.id ?? ''
  // The call has the address made where there is none yet, and gives the same one from then on.
  const funds = useQuery({
    queryKey: ['POST /api/v1/account/recharge/funds', tokenId],
    queryFn: () =>
      api('POST /api/v1/account/recharge/funds', { body: { token_id: tokenId } }).catch((error: unknown) => {
        if (isClosed(error)) cancelErrorToast(error.message)
        throw error
      }),
    enabled: tokenId !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
  if (isClosed(funds.error)) return <OpenChain network={network} onOpened={() => void funds.refetch()} />
  if (funds.error) return <ErrorState error={funds.error} onRetry={funds.refetch} />
  if (!funds.data) return <Skeleton className="h-44 w-full rounded-lg" />
  return <AddressView address={funds.data} confirmations={funds.data.confirmations} />
}

function OpenChain({ network, onOpened }: { network: Currency; onOpened(): void }) {
  const t = useMessages('ledger')
  const open = useSubmit('POST /api/v1/account/fixed-address', {
    refreshes: ['GET /api/v1/account/fixed-address'],
    done: t.opened,
  })
  return (
    <Empty
      icon="pin"
      title={t.openFirst}
      text={t.openFirstText(network.chain)}
      action={
        <Button
          look="primary"
          busy={open.isPending}
          onClick={() => open.mutate({ body: { currency_id: network.id } }, { onSuccess: onOpened })}
        >
          {t.openChain(network.chain)}
        </Button>
      }
    />
  )
}
