import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { Time } from '../../ui/data/Values.tsx'

/** The open claim link of a payment, to copy for the payer or to cancel. */
export default function RefundLinks({ trade_no }: { trade_no: string }) {
  const t = useMessages('refunds')
  const { data } = useQuery(apiQuery('GET /api/v1/transactions/refund-link', { query: { trade_no } }))
  const cancel = useSubmit('POST /api/v1/transactions/refund-link/cancel', {
    refreshes: [
      'GET /api/v1/transactions/refund-link',
      'GET /api/v1/transactions/detail',
      'GET /api/v1/transactions/list',
    ],
    done: t.linkCanceled,
  })
  const link = data?.list.find(({ state }) => state === 'open')
  if (!link) return null
  return (
    <section aria-label={t.link} className="mt-3 flex flex-col gap-2 rounded-lg border border-line p-3 text-[13px]">
      <p className="text-ink-2">{t.linkHint}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Qr text={link.url} label={t.linkCode} />
        <div className="flex min-w-40 flex-1 flex-col items-start gap-2">
          <CopyText look="whole" value={link.url} label={t.link} />
          {'share' in navigator && (
            // A dialog that is closed without sharing is no error.
            <Button size="small" onClick={() => void navigator.share({ url: link.url }).catch(() => {})}>
              {t.share}
            </Button>
          )}
        </div>
      </div>
      <p className="flex flex-wrap items-center justify-between gap-2 text-ink-3">
        <span>
          {t.linkExpires} <Time seconds={link.expire_time} />
        </span>
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate({ body: { id: link.id } })}>
          {t.cancelLink}
        </Button>
      </p>
    </section>
  )
}
