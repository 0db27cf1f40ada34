import { isTradeNo } from '@coffer/contract/kit/texts.ts'
import { type FormEvent, useState } from 'react'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { useCell } from '../lib/useCell.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import {
  describeAmountAmbiguity,
  describeAmountError,
  describeTypedAmount,
  toRequestAmount,
} from '../ui/controls/typedAmount.ts'
import { CopyText } from '../ui/data/CopyText.tsx'
import { Amount } from '../ui/data/Values.tsx'
import { requestSandbox, useAction, useRows } from './call.ts'

interface Payment {
  trade_no: string
  subject: string
  chain: string
  token: string
  amount: string
}

/** The payer's wallet: pays any payment, those with an address by one press. */
export function Wallet() {
  const t = useMessages('sandbox')
  const { data } = useRows<Payment>('payments')
  const { busy, run } = useAction()
  const pay = (trade_no: string, some: string) =>
    void run(async () => {
      // A fixed address is paid like an order.
      const to = isTradeNo(trade_no) ? { trade_no } : { address: trade_no }
      await requestSandbox('pay', { ...to, ...(some && { amount: some }) })
      return t.paid
    })
  return (
    <>
      <PayForm busy={busy} onPay={pay} />
      {data && data.length > 0 && (
        <ul aria-label={t.waiting} className="divide-y divide-line">
          {data.map(payment => (
            <li key={payment.trade_no} className="flex items-center justify-between gap-4 px-5 py-2.5">
              <span className="min-w-0">
                <span className="block">
                  <Amount value={payment.amount} unit={payment.token} className="font-medium" />
                  <span className="ml-2 text-[13px] text-ink-3">{payment.chain}</span>
                </span>
                <span className="block text-[13px] text-ink-3">
                  <CopyText look="groups" value={payment.trade_no} label={t.tradeNo} />
                </span>
              </span>
              <Button size="small" busy={busy} onClick={() => pay(payment.trade_no, '')}>
                {t.pay}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Pays a payment by its number, or an address, with any amount. */
function PayForm({ busy, onPay }: { busy: boolean; onPay(tradeNo: string, amount: string): void }) {
  const t = useMessages('sandbox')
  const { amounts } = useMessages('common')
  const [tradeNo, setTradeNo] = useState(() => new URLSearchParams(location.search).get('trade_no') ?? '')
  const [amount, setAmount] = useState('')
  const [error, setError] = useState('')
  const note = describeTypedAmount(amount, amounts, useCell(language))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = amount.trim() !== '' && describeAmountError(amount, amounts)
    setError(wrong || '')
    if (!wrong) onPay(tradeNo.trim(), toRequestAmount(amount))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 border-t border-line px-5 py-4">
      <Field label={t.tradeNo} hint={t.tradeNoHint} required>
        {control => (
          <TextInput {...control} required autoComplete="off" className="num" value={tradeNo} onChange={setTradeNo} />
        )}
      </Field>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label={t.amount}
          hint={note ?? t.amountHint}
          error={error || describeAmountAmbiguity(amount, amounts)}
          className="grow"
        >
          {control => (
            <TextInput
              {...control}
              inputMode="decimal"
              autoComplete="off"
              className="num"
              value={amount}
              onChange={text => {
                setAmount(text)
                setError('')
              }}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={busy} className="mb-[22px]">
          {t.pay}
        </Button>
      </div>
    </form>
  )
}
