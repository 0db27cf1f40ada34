import { compareDecimals } from '@coffer/contract/kit/decimal.ts'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Fields } from '../../kit/form/Fields.tsx'
import { useForm } from '../../kit/useForm.ts'
import { useIsAccountHeld } from '../../kit/useIsAccountHeld.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { describeAmountError, parseTypedAmount, toRequestAmount } from '../../ui/controls/typedAmount.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty, Loading } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ConfirmTransfer, type TransferAsset } from './ConfirmTransfer.tsx'
import { useTransferReceiver } from './useTransferReceiver.ts'

const blank = { token_id: '', amount: '', note: '' }

/** Transfers a balance to another merchant. */
export default function TransferPage() {
  const t = useMessages('transfers')
  const [done, setDone] = useState(0)
  const assets = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: {} }))
  return (
    <>
      <PageHeader
        title={t.title}
        text={t.text}
        actions={
          <Link to="/transfer/record" look="secondary">
            {t.records}
          </Link>
        }
      />
      <Card className="max-w-2xl">
        {!assets.data ? (
          <Loading of={assets} className="h-72 w-full rounded-lg" />
        ) : assets.data.list.length === 0 ? (
          <Empty icon="wallet" title={t.emptyTitle} text={t.emptyText} />
        ) : (
          <TransferForm key={done} assets={assets.data.list} onDone={() => setDone(done + 1)} />
        )}
      </Card>
    </>
  )
}

function TransferForm({ assets, onDone }: { assets: TransferAsset[]; onDone(): void }) {
  const t = useMessages('transfers')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const [confirming, setConfirming] = useState(false)
  const [account, setAccount] = useState('')
  const receiver = useTransferReceiver(account)
  const isHeld = useIsAccountHeld()
  const assetOf = (id: string) => assets.find(each => each.id === id)
  const form = useForm(
    { ...blank, account },
    {
      token_id: id => !id && common.required,
      account: () => (receiver.data ? false : (receiver.problem ?? t.accountError)),
      amount: (text, { token_id }) => {
        const amount = parseTypedAmount(text)
        if (amount === null) return describeAmountError(text, common.amounts)
        return compareDecimals(amount, assetOf(token_id)?.balance ?? amount) > 0 && t.insufficient
      },
    },
  )
  const { values } = form
  const asset = assetOf(values.token_id)
  return (
    <form {...form.formProps(async () => setConfirming(true))} className="flex flex-col gap-4">
      <Fields
        form={form}
        fields={[
          {
            name: 'token_id',
            kind: 'choice',
            label: t.token,
            hint: asset && t.available(`${formatExactAmount(asset.balance, inLanguage)} ${asset.token}`),
            required: true,
            placeholder: common.pleaseSelect,
            options: assets.map(({ id, token, chain }) => ({ value: id, label: `${token} · ${chain}` })),
          },
          { name: 'account', draw: ({ error }) => <Account {...{ account, receiver, error }} onChange={setAccount} /> },
          {
            name: 'amount',
            kind: 'amount',
            label: t.amount,
            required: true,
            max: { title: t.max, value: asset?.balance },
          },
          { name: 'note', label: t.note, hint: t.noteHint, optional: true, maxLength: 128, autoComplete: 'off' },
        ]}
      />
      <div className="grid border-t border-line pt-5 sm:flex sm:justify-end">
        <Button type="submit" look="primary" busy={form.busy} disabled={isHeld}>
          {t.next}
        </Button>
      </div>
      {confirming && asset && receiver.data && (
        <ConfirmTransfer
          asset={asset}
          receiver={receiver.data}
          amount={toRequestAmount(values.amount)}
          note={values.note.trim()}
          onClose={() => setConfirming(false)}
          onDone={onDone}
        />
      )}
    </form>
  )
}

interface AccountProps {
  account: string
  receiver: ReturnType<typeof useTransferReceiver>
  error: string | undefined
  onChange(account: string): void
}

/** The receiver's account, and who it belongs to, so that a typing mistake shows before the click. */
function Account({ account, receiver: { data, looking, problem }, error, onChange }: AccountProps) {
  const t = useMessages('transfers')
  return (
    <>
      <Field label={t.receiver} error={error || problem} hint={t.receiverHint} required>
        {control => (
          <TextInput
            {...control}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            value={account}
            onChange={onChange}
          />
        )}
      </Field>
      <div aria-live="polite" className="-mt-1 empty:hidden">
        {looking && <p className="text-xs text-ink-3">{t.looking}</p>}
        {data && (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-line px-3 py-2.5 text-sm">
            <Icon name="check" size={16} className="text-good" />
            <span className="font-medium">{data.name}</span>
            <span className="num text-ink-2">{data.mchid}</span>
            <span className="text-ink-3">{data.email}</span>
          </p>
        )}
      </div>
    </>
  )
}
