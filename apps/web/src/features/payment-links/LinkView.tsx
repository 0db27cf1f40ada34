import '../../kit/print.css'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import { useRef } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { showToast } from '../../lib/toast.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import { CopyButton } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { formatRequestedAmount, LinkBadge, type PaymentLink } from './columns.tsx'

interface Props {
  link: PaymentLink
  /** Just now: what it asks for was typed, and nobody has paid. */
  created?: boolean
  onClose(): void
}

/** A payment link with its code, to share or to print. */
export default function LinkView({ link, created, onClose }: Props) {
  const t = useMessages('payment-links')
  const common = useMessages('common')
  const disable = useSubmit('POST /api/v1/payment-link/disable', {
    ask: { title: t.disableTitle, text: t.disableText, action: t.disable, danger: true },
    refreshes: ['GET /api/v1/payment-link'],
    done: t.disabled,
  })
  const first = useRef<HTMLButtonElement>(null)
  const copy = () =>
    navigator.clipboard.writeText(link.url).then(
      () => showToast('success', common.copied),
      () => showToast('error', common.copyFailed),
    )
  const isOpen = link.state === 'open' || link.state === 'unavailable'
  return (
    <Drawer
      open
      title={t.link}
      initialFocus={first}
      onClose={onClose}
      actions={
        <>
          {isOpen && (
            <Button
              call="POST /api/v1/payment-link/disable"
              busy={disable.isPending}
              onClick={() => disable.mutate({ body: { id: link.id } }, { onSuccess: onClose })}
            >
              {t.disable}
            </Button>
          )}
          {'share' in navigator && isOpen && (
            // A dialog that is closed without sharing is no error.
            <Button onClick={() => void navigator.share({ title: link.title, url: link.url }).catch(() => {})}>
              {t.share}
            </Button>
          )}
          <Button onClick={() => print()}>{t.print}</Button>
          <Button ref={first} look="primary" icon="copy" onClick={() => void copy()}>
            {t.copy}
          </Button>
        </>
      }
    >
      <Poster link={link} />
      {!created && <LinkFacts link={link} />}
      <Link
        to="/record"
        search={{ metadata: `${paymentLinkMetadataKey}=${link.id}` }}
        look="none"
        className={`${buttonClass()} mt-4 w-full`}
      >
        {t.payments}
      </Link>
    </Drawer>
  )
}

/** What is printed. */
function Poster({ link }: { link: PaymentLink }) {
  const t = useMessages('payment-links')
  return (
    <div className="print-sheet flex flex-col items-center gap-3 py-4 text-center">
      <h3 className="text-xl font-semibold wrap-anywhere">{link.title}</h3>
      <p className="num text-lg">{formatRequestedAmount(t, link)}</p>
      <Qr text={link.url} label={t.qr(link.title)} size="large" />
      <p className="text-[13px] text-ink-2">{t.scan}</p>
      <span className="flex items-center gap-1">
        <OutsideLink href={link.url} className="text-[13px] wrap-anywhere pointer-coarse:py-3">
          {link.url}
        </OutsideLink>
        <span className="print:hidden">
          <CopyButton value={link.url} label={t.link} />
        </span>
      </span>
    </div>
  )
}

function LinkFacts({ link }: { link: PaymentLink }) {
  const t = useMessages('payment-links')
  return (
    <DetailList
      rows={[
        [t.state, <LinkBadge key="state" t={t} state={link.state} />],
        [t.kind, link.once ? t.kinds.one : t.kinds.many],
        [t.paid, t.paidTimes(link.paid)],
        [t.application, link.apply_name],
        [t.expires, link.expire_time === 0 ? t.lives['0'] : <Time key="expires" seconds={link.expire_time} />],
        [t.time, <Time key="time" seconds={link.created_time} />],
      ]}
    />
  )
}
