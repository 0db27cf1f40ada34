import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/messages.ts'
import { Tabs } from '../../ui/controls/Tabs.tsx'

const paths = { refunds: '/record/refund', links: '/record/refund/links' } as const

/** Leads from refunds to the links by which payers claim them, and back. */
export function RefundTabs({ shown }: { shown: keyof typeof paths }) {
  const t = useMessages('refunds')
  const navigate = useNavigate()
  return (
    <div className="mb-4">
      <Tabs
        look="box"
        label={t.title}
        value={shown}
        tabs={[
          { value: 'refunds', title: t.refunds },
          { value: 'links', title: t.links },
        ]}
        onChange={next => void navigate({ to: paths[next] })}
      />
    </div>
  )
}
