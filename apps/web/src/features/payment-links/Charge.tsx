import { isPayableStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { checkoutStageOf } from '@coffer/contract/payments/stage.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { language } from '../../i18n/language.ts'
import { withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { SandboxButton } from '../../kit/SandboxButton.tsx'
import { useSubmit } from '../../kit/useSubmit.ts'
import { streamWhileVisible } from '../../lib/streamWhileVisible.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { CopyButton, CopyText } from '../../ui/data/CopyText.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { readKeypadChoice, storeKeypadChoice } from './Keypad.tsx'
import { playPaidSound } from './sound.ts'

type Checkout = RouteData<'GET /api/v1/checkout/:trade_no'>

/** How often (ms) the payment is read while events may not arrive. */
const pollMs = 5_000

/** A payment as the person at the counter shows it to the payer: its code, until it is paid. */
export default function Charge({ tradeNo }: { tradeNo: string }) {
  const query = apiQuery('GET /api/v1/checkout/:trade_no', { params: { trade_no: tradeNo } })
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data && !isPayableStatus(state.data.status) ? false : pollMs),
  })
  const open = data === undefined || isPayableStatus(data.status)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is of the payment
  useEffect(() => {
    if (!open) return
    return streamWhileVisible(`/api/v1/checkout/${tradeNo}/events`, {
      onmessage: ({ data: text }) => queryClient.setQueryData(query.queryKey, JSON.parse(text)),
      onerror: null,
    })
  }, [tradeNo, open])
  const before = useRef(data?.status)
  useEffect(() => {
    if (data?.status === paymentStatus.paid && before.current !== undefined && isPayableStatus(before.current))
      playPaidSound()
    before.current = data?.status
  }, [data?.status])
  if (!data) return <Loading of={{ error, refetch }} className="h-96 w-full rounded-lg" />
  return <Shown checkout={data} take={next => queryClient.setQueryData(query.queryKey, next)} />
}

function Shown({ checkout, take }: { checkout: Checkout; take(next: Checkout): void }) {
  const t = useMessages('payment-links')
  const inLanguage = useCell(language)
  const navigate = useNavigate()
  const { trade_no, status, choices } = checkout
  const open = isPayableStatus(status)
  const paid = status === paymentStatus.paid
  const exact = (value: string) => formatExactAmount(value, inLanguage)
  const total = checkout.fiat_name
    ? `${exact(checkout.fiat_amount)} ${checkout.fiat_name}`
    : `${exact(checkout.usdt_amount)} USDT`
  const again = () => void navigate({ to: '/collect', search: {}, replace: true })
  // The page may show the cancelled payment before the call has ended, without the button.
  const cancel = useSubmit('POST /api/v1/collect/cancel', {
    ask: { title: t.cancelTitle, text: t.cancelText, action: t.cancel, leave: t.keep, danger: true },
  })
  // Payments of the shop's developer are shown as well, and end in the shop.
  const { data: counter } = useQuery(apiQuery('GET /api/v1/collect', {}))
  const cancels = choices.length > 0 && counter?.list.some(each => each.trade_no === trade_no)
  return (
    <div className="flex flex-col items-center gap-4 text-center">
      <h1 className="num text-[clamp(24px,9vw,40px)] leading-tight font-semibold wrap-anywhere">{total}</h1>
      {paid ? (
        <span className="flex size-40 items-center justify-center rounded-full bg-good-soft text-good">
          <Icon name="check" size={96} />
        </span>
      ) : (
        open && <Code checkout={checkout} />
      )}
      <p role="status" className={paid ? 'text-xl font-semibold text-good' : 'text-[15px] font-medium text-ink-2'}>
        {news(checkout, t, exact)}
      </p>
      {open && checkout.sandbox && (
        <SandboxButton act="pay" id={trade_no} size="large" className="w-full">
          {t.testWallet}
        </SandboxButton>
      )}
      {open && choices.length > 0 && <Networks checkout={checkout} take={take} />}
      <div className="grid w-full auto-cols-fr grid-flow-col gap-2">
        {open ? (
          <Button
            call="POST /api/v1/collect/cancel"
            size="large"
            busy={cancel.isPending}
            disabled={!cancels}
            onClick={() => cancel.mutate({ body: { trade_no } }, { onSuccess: again })}
          >
            {t.cancel}
          </Button>
        ) : (
          <Button size="large" onClick={() => void navigate({ to: '/record', search: { trade_no } })}>
            {t.details}
          </Button>
        )}
        <Button size="large" look={open ? 'secondary' : 'primary'} onClick={again}>
          {t.next}
        </Button>
      </div>
    </div>
  )
}

/** What has happened so far: of a part that was seen, the rest stands first, also while it confirms. */
function news(checkout: Checkout, t: Messages<'payment-links'>, exact: (value: string) => string): string {
  const { chosen, deposits } = checkout
  const seen = deposits.findLast(({ state }) => state === 'seen')
  const confirming = seen ? t.seen(seen.confirmations, seen.required_confirmations) : ''
  const stage = checkoutStageOf(checkout)
  if (stage === 'choose' || stage === 'wait') return t.waiting
  if (stage === 'confirm') return confirming
  if (stage === 'partial' && chosen) return t.partly(`${exact(chosen.rest)} ${chosen.token}`, confirming)
  return stage === 'paid' ? t.isPaid : stage === 'closed' ? t.isClosed : t.isEnded
}

/**
 * The code of the address, which every wallet reads, with the amount, or that of the page on which the payer chooses.
 */
function Code({ checkout: { chosen, trade_no } }: { checkout: Checkout }) {
  const t = useMessages('payment-links')
  const inLanguage = useCell(language)
  if (!chosen)
    return (
      <>
        <Qr size="large" text={new URL(`/pay/${trade_no}`, location.href).href} label={t.qrPay} />
        <p className="text-[13px] text-ink-2">{t.scanPage}</p>
      </>
    )
  return (
    <>
      {chosen.rest !== '0' && <Qr size="large" text={chosen.address} label={t.qrPay} />}
      <dl className="w-full text-sm">
        <dt className="text-ink-3">{t.send}</dt>
        <dd className="mb-2 flex items-center justify-center gap-1 font-medium">
          {formatExactAmount(chosen.rest, inLanguage)} {chosen.token} · {chosen.chain}{' '}
          <CopyButton value={chosen.rest} label={t.send} />
        </dd>
        <dt className="text-ink-3">{t.to}</dt>
        <dd>
          <CopyText look="groups" value={chosen.address} label={t.to} />
        </dd>
      </dl>
    </>
  )
}

function Networks({
  checkout: { trade_no, choices, chosen },
  take,
}: {
  checkout: Checkout
  take(next: Checkout): void
}) {
  const t = useMessages('payment-links')
  const choose = useSubmit('POST /api/v1/checkout/:trade_no/choose')
  return (
    <div className="w-full text-left">
      <Select
        aria-label={t.network}
        value={chosen?.asset_id ?? ''}
        {...(!chosen && { placeholder: t.anyWallet })}
        disabled={choose.isPending}
        options={choices.map(({ asset_id, token, chain, net_work }) => ({
          value: asset_id,
          label: `${token} · ${withNote(chain, net_work)}`,
        }))}
        onChange={asset_id => {
          if (asset_id === '') return
          storeKeypadChoice(readKeypadChoice()[0], asset_id)
          choose.mutate({ params: { trade_no }, body: { asset_id } }, { onSuccess: take })
        }}
      />
    </div>
  )
}
