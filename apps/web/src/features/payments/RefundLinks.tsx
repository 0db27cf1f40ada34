import { useQuery } from '@tanstack/react-query'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCancelRefundLink } from '../../kit/useCancelRefundLink.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'

/** The claim links of a payment: the open one, to copy for the payer or to cancel, and what became of others. */
export default function RefundLinks({ trade_no }: { trade_no: string }) {
  const t = useMessages('refunds')
  const { data } = useQuery(apiQuery('GET /api/v1/transactions/refund-link', { query: { trade_no } }))
  const cancel = useCancelRefundLink()
  const link = data?.list.find(({ state }) => state === 'open')
  const ended = data?.list.filter(({ state }) => state !== 'open') ?? []
  if (!data || data.list.length === 0) return null
  return (
    <section aria-label={t.link} className="mt-3 flex flex-col gap-2 rounded-lg border border-line p-3 text-[13px]">
      {link && (
        <OpenLink link={link} busy={cancel.isPending} onCancel={() => cancel.mutate({ body: { id: link.id } })} />
      )}
      {ended.length > 0 && (
        <ul aria-label={t.linksTitle} className={link && 'border-t border-line pt-2'}>
          {ended.map(each => (
            <li key={each.id} className="flex flex-wrap items-baseline gap-x-3 py-1">
              <Amount exact value={each.amount} unit={each.token} className="font-medium" />
              <span className="text-ink-2">{t.linkStates[each.state]}</span>
              <span className="ml-auto text-ink-3">
                <Time seconds={each.created_time} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The address of a link, for the payer. Who may not give the money back is not shown it. */
function Address({ url }: { url: string }) {
  const t = useMessages('refunds')
  return (
    <>
      <p className="text-ink-2">{t.linkHint}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Qr text={url} label={t.linkCode} />
        <div className="flex min-w-40 flex-1 flex-col items-start gap-2">
          <CopyText look="whole" value={url} label={t.link} />
          {'share' in navigator && (
            // A dialog that is closed without sharing is no error.
            <Button size="small" onClick={() => void navigator.share({ url }).catch(() => {})}>
              {t.share}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

interface OpenLinkProps {
  link: RouteData<'GET /api/v1/transactions/refund-link'>['list'][number]
  busy: boolean
  onCancel(): void
}

function OpenLink({ link, busy, onCancel }: OpenLinkProps) {
  const t = useMessages('refunds')
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-ink-2">{t.linkAmount}</span>
        <Amount exact value={link.amount} unit={link.token} className="text-base font-semibold" />
      </p>
      {link.url !== '' && <Address url={link.url} />}
      <p className="flex flex-wrap items-center justify-between gap-2 text-ink-3">
        <span>
          {t.linkExpires} <Time seconds={link.expire_time} />
        </span>
        <Button call="POST /api/v1/transactions/refund-link/cancel" size="small" busy={busy} onClick={onCancel}>
          {t.cancelLink}
        </Button>
      </p>
    </>
  )
}
