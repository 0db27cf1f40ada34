import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { useMay } from '../../lib/refused.ts'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { Keypad } from './Keypad.tsx'
import { LastCharges } from './LastCharges.tsx'

const Links = lazyComponent(() => import('./Page.tsx'))
const Charge = lazyComponent(() => import('./Charge.tsx'))

/** Collects on a phone: at the counter, or by links. */
export default function Collect() {
  const t = useMessages('payment-links')
  const navigate = useNavigate()
  const may = useMay()
  const { trade_no, view } = useSearch({ from: '/collect' })
  if (trade_no !== undefined) return <Charge key={trade_no} tradeNo={trade_no} />
  // Whoever only sees what was collected has no counter.
  if (!may('POST /api/v1/collect')) return <Links />
  return (
    <>
      {view !== 'links' && <h1 className="sr-only">{t.title}</h1>}
      <Tabs
        look="box"
        label={t.title}
        value={view === 'links' ? view : 'counter'}
        tabs={[
          { value: 'counter', title: t.counter },
          { value: 'links', title: t.links },
        ]}
        onChange={next =>
          void navigate({ to: '/collect', search: next === 'links' ? { view: next } : {}, replace: true })
        }
      />
      <div className="mt-4">
        {view === 'links' ? (
          <Links />
        ) : (
          <>
            <Keypad onOpened={opened => void navigate({ to: '/collect', search: { trade_no: opened } })} />
            <LastCharges />
          </>
        )}
      </div>
    </>
  )
}
