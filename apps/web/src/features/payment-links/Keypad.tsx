import { fiats } from '@coffer/contract/codes.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { markCounterDevice } from '../../lib/counter.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { describeAmountAmbiguity, normalizeNumberText, parseTypedAmount } from '../../ui/controls/typedAmount.ts'
import { unlockSound } from './sound.ts'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫']
const digitsMax = 12
const decimalsMax = 6

/** The amount after a key: no leading zeros, and an end. A comma of a keyboard stays, as it may be of thousands. */
function typed(amount: string, key: string): string {
  if (key === '⌫') return amount.slice(0, -1)
  if (key === '.' && amount.includes('.')) return amount
  if (key === '.' || key === ',') return /[.,]$/.test(amount) ? amount : `${amount || '0'}${key}`
  const next = amount === '0' ? key : amount + key
  const decimals = next.split(/[.,]/).slice(1).at(-1) ?? ''
  const digits = next.replace(/[.,]/g, '').length
  return digits - decimals.length > digitsMax || decimals.length > decimalsMax ? amount : next
}

/** What this device collected in last: the currency, and the asset, which may be none. */
export const readKeypadChoice = (): [currency: string, assetId: string] => {
  const [currency = 'USDT', assetId = ''] = (readStored('collect') ?? 'USDT').split(' ')
  return [currency, assetId]
}
export const storeKeypadChoice = (currency: string, assetId: string): void =>
  writeStored('collect', `${currency} ${assetId}`)

/** An amount typed with the thumb. Opens a payment, in the asset that this device used last. */
export function Keypad({ onOpened }: { onOpened(tradeNo: string): void }) {
  const t = useMessages('payment-links')
  const inLanguage = useCell(language)
  const [[before, assetId]] = useState(readKeypadChoice)
  const [currency, setCurrency] = useState(before)
  const [amount, setAmount] = useState('')
  const collect = useSubmit('POST /api/v1/collect')
  const value = parseTypedAmount(amount.replace(/[.,]$/, ''))
  const doubt = describeAmountAmbiguity(amount, useMessages('common').amounts)
  const submit = () => {
    if (value === null || collect.isPending) return
    unlockSound()
    storeKeypadChoice(currency, assetId)
    collect.mutate(
      { body: { amount: value, currency } },
      {
        onSuccess: async ({ trade_no }) => {
          // An asset that cannot be received now is chosen by the payer.
          if (assetId) {
            const body = { asset_id: assetId }
            await api('POST /api/v1/checkout/:trade_no/choose', { params: { trade_no }, body }).catch(() => {})
          }
          markCounterDevice()
          void invalidateCalls('GET /api/v1/collect')
          onOpened(trade_no)
        },
      },
    )
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={event => {
        const key = event.key === 'Backspace' ? '⌫' : normalizeNumberText(event.key)
        if ([...keys, ','].includes(key) && !event.ctrlKey && !event.metaKey) setAmount(now => typed(now, key))
      }}
      className="flex flex-col gap-3 landscape:grid landscape:grid-cols-2 landscape:items-start landscape:gap-x-6"
    >
      <div className="flex flex-col gap-3 squat:flex-row squat:items-center">
        <Shown amount={amount} doubt={doubt} />
        <div className="squat:w-28">
          <Select
            aria-label={t.currency}
            value={currency}
            options={['USDT', ...fiats].map(each => ({ value: each, label: each }))}
            onChange={setCurrency}
          />
        </div>
      </div>
      <Keys onPress={key => setAmount(typed(amount, key))} />
      <Button
        type="submit"
        look="primary"
        size="large"
        className="h-13"
        disabled={value === null}
        busy={collect.isPending}
      >
        {value !== null ? t.charge(`${formatExactAmount(value, inLanguage)} ${currency}`) : t.title}
      </Button>
    </form>
  )
}

/** The amount as typed so far. */
function Shown({ amount, doubt }: { amount: string; doubt: ReturnType<typeof describeAmountAmbiguity> }) {
  const { keypad } = useMessages('payment-links')
  return (
    <div className="relative flex grow">
      <output
        aria-label={keypad}
        className="num flex min-h-[clamp(44px,9dvh,80px)] grow items-center justify-center text-center text-[clamp(28px,11vw,48px)] leading-tight font-semibold wrap-anywhere"
      >
        {amount || <span className="text-ink-3">0</span>}
      </output>
      <p role="alert" className="absolute inset-x-0 top-full -mt-2 text-center text-xs text-bad empty:hidden">
        {doubt}
      </p>
    </div>
  )
}

function Keys({ onPress }: { onPress(key: string): void }) {
  const t = useMessages('payment-links')
  return (
    <div className="grid grid-cols-3 gap-2 landscape:col-start-2 landscape:row-span-2 landscape:row-start-1">
      {keys.map(key => (
        <button
          key={key}
          type="button"
          aria-label={key === '⌫' ? t.remove : key === '.' ? t.point : key}
          onClick={() => onPress(key)}
          className="num h-[clamp(44px,7.5dvh,68px)] rounded-lg border border-line bg-surface text-2xl font-medium select-none touch-manipulation active:bg-sunken short:h-12"
        >
          {key}
        </button>
      ))}
    </div>
  )
}
