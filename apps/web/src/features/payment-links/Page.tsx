import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { lists } from '../../lists.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { type PaymentLink, paymentLinkColumns } from './columns.tsx'

const Charge = lazyComponent(() => import('./Charge.tsx'))
const CreateLink = lazy(() => import('./CreateLink.tsx'))
const LinkView = lazy(() => import('./LinkView.tsx'))

/** Payment links: created, shared, printed and ended. */
export default function PaymentLinks() {
  const { trade_no } = useSearch({ from: '/collect' })
  if (trade_no === undefined) return <Links />
  return (
    <div className={cx(cardClass, 'mx-auto max-w-[440px] p-6')}>
      <Charge key={trade_no} tradeNo={trade_no} />
    </div>
  )
}

function Links() {
  const t = useMessages('payment-links')
  const { view } = useSearch({ from: '/collect' })
  const navigate = useNavigate()
  const [creating, setCreating] = useState(view === 'new')
  // The form is open because of the link that was followed, not of the page: a reload does not open it again.
  useEffect(() => {
    if (view !== 'new') return
    setCreating(true)
    void navigate({ to: '/collect', search: now => ({ ...now, view: undefined }), replace: true })
  }, [view, navigate])
  const [shown, setShown] = useState<{ link: PaymentLink; created?: true }>()
  const columns = useMemo(() => paymentLinkColumns(t, link => setShown({ link })), [t])
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.caption}
        actions={
          <Button call="POST /api/v1/payment-link" look="primary" icon="plus" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        }
        list={useList(lists.paymentLinks)}
        columns={columns}
        onOpen={link => setShown({ link })}
        filters={[
          {
            by: 'active',
            label: t.state,
            all: t.allStates,
            names: { 1: t.active, 0: t.ended },
            width: 'min-w-36 flex-1 sm:w-40 sm:flex-none',
          },
          { by: 'text', label: t.search, error: t.searchBad, width: 'w-full grow sm:max-w-md' },
        ]}
        empty={<Empty title={t.emptyTitle} text={t.emptyText} />}
      />
      <Suspense fallback={null}>
        {creating && (
          <CreateLink
            onClose={() => setCreating(false)}
            onDone={link => {
              setCreating(false)
              setShown({ link, created: true })
            }}
          />
        )}
        {shown && <LinkView {...shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}
