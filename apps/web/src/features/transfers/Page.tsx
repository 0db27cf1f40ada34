import { compareDecimals } from '@coffer/contract/decimal.ts'
import { formatExactAmount } from '@coffer/contract/format-amount.ts'
import { isAmount } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { useCell } from '../../lib/useCell.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { type Asset, ConfirmTransfer } from './ConfirmTransfer.tsx'
import { ReceiverFound } from './ReceiverFound.tsx'
import { useReceiver } from './useReceiver.ts'

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
          <Link to="/transfer/record" look="none" className={buttonClass()}>
            {t.records}
          </Link>
        }
      />
      <Card className="max-w-2xl">
        {assets.error && !assets.data ? (
          <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />
        ) : !assets.data ? (
          <Skeleton className="h-72 w-full rounded-lg" />
        ) : assets.data.list.length === 0 ? (
          <Empty icon="wallet" title={t.emptyTitle} text={t.emptyText} />
        ) : (
          <TransferForm key={done} assets={assets.data.list} onDone={() => setDone(done + 1)} />
        )}
      </Card>
    </>
  )
}

function TransferForm({ assets, onDone }: { assets: Asset[]; onDone(): void }) {
  const t = useMessages('transfers')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const [confirming, setConfirming] = useState(false)
  const [account, setAccount] = useState('')
  const receiver = useReceiver(account)
  const assetOf = (id: string) => assets.find(each => each.id === id)
  const form = useForm(
    { ...blank, account },
    {
      token_id: id => !id && common.required,
      account: () => (receiver.data ? false : (receiver.problem ?? t.accountError)),
      amount: (amount, { token_id }) =>
        !isAmount(amount)
          ? common.validaValue
          : compareDecimals(amount, assetOf(token_id)?.balance ?? amount) > 0 && t.insufficient,
    },
  )
  const { values, errors, set } = form
  const asset = assetOf(values.token_id)
  return (
    <form {...form.formProps(async () => setConfirming(true))} className="flex flex-col gap-4">
      <Field
        label={t.token}
        error={errors.token_id}
        hint={asset && t.available(`${formatExactAmount(asset.balance, inLanguage)} ${asset.token}`)}
        required
      >
        {control => (
          <Select
            {...control}
            value={values.token_id}
            placeholder={common.pleaseSelect}
            options={assets.map(({ id, token, chain }) => ({ value: id, label: `${token} · ${chain}` }))}
            onChange={set('token_id')}
          />
        )}
      </Field>
      <Field label={t.receiver} error={errors.account || receiver.problem} hint={t.receiverHint} required>
        {control => (
          <TextInput
            {...control}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            value={account}
            onChange={setAccount}
          />
        )}
      </Field>
      <ReceiverFound receiver={receiver} />
      <Field label={t.amount} error={errors.amount} required>
        {control => (
          <div className="flex gap-2">
            <TextInput
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={values.amount}
              onChange={text => set('amount')(text.trim())}
            />
            <Button disabled={!asset} onClick={() => asset && set('amount')(asset.balance)}>
              {t.max}
            </Button>
          </div>
        )}
      </Field>
      <Field label={t.note} hint={t.noteHint} optional={common.optional}>
        {control => (
          <TextInput {...control} maxLength={128} autoComplete="off" value={values.note} onChange={set('note')} />
        )}
      </Field>
      <div>
        <Button type="submit" look="primary" busy={form.busy}>
          {t.next}
        </Button>
      </div>
      {confirming && asset && receiver.data && (
        <ConfirmTransfer
          asset={asset}
          receiver={receiver.data}
          amount={values.amount}
          note={values.note.trim()}
          onClose={() => setConfirming(false)}
          onDone={onDone}
        />
      )}
    </form>
  )
}
