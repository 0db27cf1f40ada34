import {
  btcpayPermissionsOf,
  btcpayRefundPermission,
  filterBtcpayPermissions,
  parseShopOrigin,
} from '@coffer/contract/codes/shops.ts'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useApplicationOptions } from '../../kit/list/choices.ts'
import { useProof } from '../../kit/proof/useProof.ts'
import { isSandbox } from '../../lib/sandbox.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { type NewShop, ShopCredentials } from './shops/ShopCredentials.tsx'

/** Shows which shop asks for a key, by BTCPay's page for it, and sends the key there once the merchant has agreed. */
export default function ConnectShopPage() {
  const t = useMessages('shops')
  const common = useMessages('common')
  const { name = '', redirect = '', permissions = '' } = useSearch({ from: '/connectShop' })
  const origin = parseShopOrigin(redirect, useCell(isSandbox))
  const [open, setOpen] = useState<'form' | NewShop | null>(null)
  const [sent, setSent] = useState(false)
  const applications = useApplicationOptions()
  const shop = name && `“${name}”`
  const host = origin ? new URL(origin).host : ''
  const requested = permissions.split(',').filter(each => each !== '')
  const known = filterBtcpayPermissions(requested)
  const others = requested.filter(each => !known.includes(each))
  const refunds = known.includes(btcpayRefundPermission)
  const close = () => setOpen(null)
  const done = (made: NewShop) => {
    setOpen(origin ? null : made)
    if (!origin) return
    setSent(true)
    sendBack(redirect, made, known)
  }
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.asks(shop || t.aShop)} text={t.asksText} />
      <Card>
        {redirect && !origin ? (
          <p className="text-sm text-bad">{t.badReturn}</p>
        ) : origin ? (
          <>
            <p className="text-[13px] text-ink-2">{t.asksAt(shop)}</p>
            <p className="mt-1 text-xl font-semibold break-all">{host}</p>
          </>
        ) : (
          <p className="text-sm text-ink-2">{t.asksShown}</p>
        )}
        <div className="mt-6 grid gap-6 sm:grid-cols-2">
          <List title={t.may} items={refunds ? [...t.mayList, t.mayRefund] : t.mayList} />
          <List title={t.mayNot} items={refunds ? t.mayNotList : [...t.mayNotList, t.mayNotRefund]} />
        </div>
        {others.length > 0 && <p className="mt-5 text-[13px] break-words text-ink-2">{t.notGiven(joinList(others))}</p>}
        <div className="mt-6 flex flex-wrap items-center justify-end gap-3 border-t border-line pt-5">
          {sent ? (
            <p role="status" className="text-sm text-ink-2">
              {t.sent(host)}
            </p>
          ) : (
            <>
              <Link to="/appManage" look="secondary">
                {common.cancel}
              </Link>
              <Button look="primary" disabled={redirect !== '' && !origin} onClick={() => setOpen('form')}>
                {t.allow}
              </Button>
            </>
          )}
        </div>
      </Card>
      {open === 'form' && (
        <Allow host={host} permissions={known} applications={applications} onClose={close} onDone={done} />
      )}
      {open !== null && open !== 'form' && <ShopCredentials made={open} onClose={close} />}
    </div>
  )
}

const List = ({ title, items }: { title: string; items: readonly string[] }) => (
  <div>
    <h2 className="mb-2 text-sm font-semibold">{title}</h2>
    <ul className="list-disc space-y-1.5 pl-4 text-sm text-ink-2">
      {items.map(item => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </div>
)

interface AllowProps {
  host: string
  permissions: string[]
  applications: ReturnType<typeof useApplicationOptions>
  onClose(): void
  onDone(made: NewShop): void
}

/** Asks for the application and for a proof, and makes the key. */
function Allow({ host, permissions, applications, onClose, onDone }: AllowProps) {
  const t = useMessages('shops')
  return (
    <ActionForm<{ appid: string }, NewShop>
      title={t.allow}
      text={host}
      verb={t.allow}
      proof={useProof('application')}
      refreshes={['GET /api/v1/user/shop/list']}
      onClose={onClose}
      initial={{ appid: applications[0]?.value ?? '' }}
      fields={[
        {
          name: 'appid',
          kind: 'choice',
          label: t.application,
          hint: t.applicationHint,
          required: true,
          options: applications,
        },
      ]}
      call={async ({ appid }, proof) => ({
        protocol: 'btcpay',
        ...(await api('POST /api/v1/user/shop', { body: { appid, protocol: 'btcpay', permissions, ...proof } })),
      })}
      onDone={onDone}
    />
  )
}

/** Leaves for the shop with the key, as BTCPay does: by a form. The policy of this page allows no other place. */
function sendBack(redirect: string, { id, key }: NewShop, permissions: string[]): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = redirect
  const add = (name: string, value: string) => {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  add('apiKey', key)
  add('userId', id)
  for (const each of btcpayPermissionsOf(id, permissions)) add('permissions[]', each)
  document.body.append(form)
  form.submit()
}
