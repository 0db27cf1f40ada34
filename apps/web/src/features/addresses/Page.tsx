import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, refresh, useSubmit } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { AddressList } from './AddressList.tsx'
import { AddressView } from './AddressView.tsx'

/** Fixed addresses: get one for a chain, and list all. */
export default function FixedAddr() {
  const t = useMessages('ledger')
  const common = useMessages('common')
  const currencies = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  const [chosen, setChosen] = useState('')
  const get = useSubmit('POST /api/v1/account/recharge/funds')
  const chains = currencies.data?.list
  const chain = chains?.find(({ id }) => id === get.data?.currency_id)
  const show = (currency_id: string) => {
    setChosen(currency_id)
    get.mutate({ body: { currency_id } }, { onSuccess: () => void refresh('GET /api/v1/account/recharge') })
  }
  return (
    <>
      <BackToAssets />
      <PageHeader title={t.fixedTitle} text={t.fixedText} />
      <div className="flex flex-col gap-4">
        <Card title={t.getAddress}>
          {currencies.error && !chains ? (
            <ErrorState error={currencies.error} onRetry={() => void currencies.refetch()} />
          ) : (
            <form
              className="flex flex-wrap items-start gap-3"
              onSubmit={event => {
                event.preventDefault()
                if (chosen) show(chosen)
              }}
            >
              <Field label={t.chooseChain} hint={t.chooseChainHint} className="w-full max-w-md">
                {control =>
                  chains ? (
                    <Select
                      {...control}
                      value={chosen}
                      placeholder={common.pleaseSelect}
                      options={chains.map(({ id, chain: name, net_work }) => ({
                        value: id,
                        label: `${name} (${net_work})`,
                      }))}
                      onChange={setChosen}
                    />
                  ) : (
                    <Skeleton className="h-9 w-full rounded-lg" />
                  )
                }
              </Field>
              <Button type="submit" look="primary" className="sm:mt-[26px]" disabled={!chosen} busy={get.isPending}>
                {t.show}
              </Button>
            </form>
          )}
          {get.data && chain && !get.isPending && <AddressView address={get.data} currency={chain} />}
        </Card>
        <AddressList onShow={show} />
      </div>
    </>
  )
}
