import { useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { Empty, ErrorState } from '../ui/feedback/States.tsx'
import { requestSandbox, useAction, useRows } from './call.ts'

interface Merchant {
  mchid: string
  name: string
  email: string
}

/** Merchants under review, to approve or refuse as the operator. */
export function Approval() {
  const t = useMessages('sandbox')
  const { data, error, refetch } = useRows<Merchant>('merchants')
  if (error && !data) return <ErrorState onRetry={() => void refetch()} />
  if (data?.length === 0) return <Empty icon="shield" title={t.noMerchants} text={t.noMerchantsText} />
  return (
    <ul className="divide-y divide-line border-t border-line">
      {data?.map(merchant => (
        <Item key={merchant.mchid} merchant={merchant} />
      ))}
    </ul>
  )
}

function Item({ merchant: { mchid, name, email } }: { merchant: Merchant }) {
  const t = useMessages('sandbox')
  const { busy, run } = useAction()
  const [reason, setReason] = useState('')
  const decide = (decision: 'approve' | 'refuse') =>
    run(async () => {
      await requestSandbox('merchants', { mchid, decision, reason })
      return decision === 'approve' ? t.approved : t.refused
    })
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="font-medium break-words">{name || t.noName}</p>
          <p className="text-[13px] break-words text-ink-3">
            {email} · <span className="num">{mchid}</span>
          </p>
        </div>
        <Button look="primary" busy={busy} onClick={() => void decide('approve')}>
          {t.approve}
        </Button>
      </div>
      <div className="flex gap-2">
        <TextInput aria-label={t.reason} placeholder={t.reason} maxLength={200} value={reason} onChange={setReason} />
        <Button busy={busy} onClick={() => void decide('refuse')}>
          {t.refuse}
        </Button>
      </div>
    </li>
  )
}
