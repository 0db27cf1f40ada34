import { isUrl } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type RouteData } from '../../../api/index.ts'
import { apiQuery } from '../../../api/query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { CallbackAttempts } from '../../../kit/callbacks/CallbackAttempts.tsx'
import { ActionForm } from '../../../kit/form/ActionForm.tsx'
import { OutsideLink } from '../../../ui/controls/Link.tsx'
import { toRequestAmount } from '../../../ui/controls/typedAmount.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { Amount } from '../../../ui/data/Values.tsx'
import { PaymentBadge } from '../../../ui/feedback/StateBadge.tsx'
import { Loading } from '../../../ui/feedback/States.tsx'

interface Props {
  shop: RouteData<'GET /api/v1/user/shop/list'>['list'][number]
  onClose(): void
}

type Made = RouteData<'POST /api/v1/user/shop/test'>

/** Pays an order from the wallet of the sandbox. If that fails, the checkout remains. */
const payInSandbox = (trade_no: string) =>
  fetch('/sandbox/pay', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ trade_no }),
  }).catch(() => {})

/** The dialog that makes and pays an order of the sandbox as the shop would, and shows its callback arriving. */
export function TestOrder({ shop: { id, notify_url, currency }, onClose }: Props) {
  const t = useMessages('shops')
  const common = useMessages('common')
  return (
    <ActionForm<{ notify_url: string; amount: string; title: string }, Made>
      title={t.testTitle}
      text={t.testText}
      verb={t.test}
      size="medium"
      onClose={onClose}
      initial={{ notify_url, amount: '', title: '' }}
      fields={[
        {
          name: 'notify_url',
          label: t.notifyUrl,
          hint: t.notifyHint,
          type: 'url',
          required: true,
          placeholder: 'https://',
          rule: text => !isUrl(text.trim()) && common.urlAddress,
        },
        {
          name: 'amount',
          label: t.testAmount(currency),
          hint: t.testAmountHint,
          kind: 'amount',
          optional: true,
        },
        { name: 'title', label: t.testName, optional: true, maxLength: 60 },
      ]}
      call={async values => {
        const amount = toRequestAmount(values.amount)
        const title = values.title.trim()
        const notify = values.notify_url.trim()
        const body = { id, notify_url: notify, ...(amount && { amount }), ...(title && { title }) }
        const made = await api('POST /api/v1/user/shop/test', { body })
        await payInSandbox(made.trade_no)
        return made
      }}
      result={made => <Outcome made={made} />}
    />
  )
}

/** The order and the attempts of its callback, which the live connection keeps up to date. */
function Outcome({ made: { trade_no, pay_url } }: { made: Made }) {
  const t = useMessages('shops')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/transactions/detail', { query: { trade_no } }))
  const callback = data?.callbacks[0]
  const detail = useQuery({
    ...apiQuery('GET /api/v1/callback/detail', { query: { id: callback?.id ?? '' } }),
    enabled: callback !== undefined,
  })
  if (!data) return <Loading of={{ error, refetch }} className="h-40 w-full" />
  return (
    <div className="flex flex-col gap-4">
      <DetailList
        rows={[
          [t.order, <CopyText key="order" look="groups" value={trade_no} label={t.order} />],
          [
            t.amount,
            <Amount
              key="amount"
              exact
              value={data.fiat_name ? data.fiat_amount : data.amount}
              unit={data.fiat_name || data.token}
            />,
          ],
          [t.status, <PaymentBadge key="status" status={data.status} />],
          [
            t.checkout,
            <OutsideLink key="checkout" href={pay_url}>
              {t.open}
            </OutsideLink>,
          ],
        ]}
      />
      <section aria-live="polite">
        <h3 className="mb-2 text-sm font-semibold">{t.callback}</h3>
        {detail.data ? (
          <CallbackAttempts attempts={detail.data.attempt_list} />
        ) : (
          <p className="text-[13px] text-ink-3">{t.callbackWaits}</p>
        )}
      </section>
    </div>
  )
}
