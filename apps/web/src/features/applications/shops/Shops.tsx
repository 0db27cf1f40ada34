import type { KeyOverlapSeconds } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RouteData } from '../../../api/index.ts'
import { apiQuery } from '../../../api/query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { ActionForm } from '../../../kit/form/ActionForm.tsx'
import { useProof } from '../../../kit/proof/useProof.ts'
import { isSandbox } from '../../../lib/sandbox.ts'
import { useCell } from '../../../lib/useCell.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { StateText } from '../../../ui/feedback/Badge.tsx'
import { Drawer } from '../../../ui/feedback/Modal.tsx'
import { Empty, Loading } from '../../../ui/feedback/States.tsx'
import { KeyOverlapField } from '../KeyOverlapField.tsx'
import type { Application } from '../settings.ts'
import { ConnectShopDialog } from './ConnectShopDialog.tsx'
import { shopProtocolNames } from './programs.ts'
import { hasShopIdField, type NewShop, ShopCredentials } from './ShopCredentials.tsx'
import { ShopRefusals } from './ShopRefusals.tsx'
import { ShopSettingsGuide } from './ShopSettingsGuide.tsx'
import { TestOrder } from './TestOrder.tsx'

type Shop = RouteData<'GET /api/v1/user/shop/list'>['list'][number]
type Act = 'renew' | 'end' | 'test'
type Open = { what: 'connect' } | { what: 'values'; made: NewShop } | { what: Act; shop: Shop }

/** The merchant tries the shop beside this page, and sees here what it met. */
const readAgainMs = 10_000

/** The shops that are connected to an application, and what can be done with each. */
export default function Shops({ application, onClose }: { application: Application; onClose(): void }) {
  const t = useMessages('shops')
  const { appid, name } = application
  const inSandbox = useCell(isSandbox)
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/v1/user/shop/list', { query: { appid } }),
    refetchInterval: readAgainMs,
  })
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const show = (made: NewShop) => setOpen({ what: 'values', made })
  return (
    <Drawer
      open
      title={t.title}
      text={t.text(name)}
      onClose={onClose}
      actions={
        <Button look="primary" icon="plus" onClick={() => setOpen({ what: 'connect' })}>
          {t.connect}
        </Button>
      }
    >
      {!data ? (
        <Loading of={{ error, refetch }} className="h-56 w-full" />
      ) : data.list.length === 0 ? (
        <Empty icon="globe" title={t.emptyTitle} text={t.emptyText} />
      ) : (
        <ul className="flex flex-col gap-4">
          {data.list.map(shop => (
            <One key={shop.id} shop={shop} onOpen={what => setOpen({ what, shop })} />
          ))}
        </ul>
      )}
      {data && (
        <ul className="mt-6 flex list-disc flex-col gap-1 pl-4 text-[13px] leading-5 text-ink-3">
          {[t.several, t.smallest(inSandbox ? limits.paymentUsdtMinInSandbox : limits.paymentUsdtMin), t.refunds].map(
            text => (
              <li key={text}>{text}</li>
            ),
          )}
        </ul>
      )}
      {open?.what === 'connect' && <ConnectShopDialog appid={appid} onClose={close} onDone={show} />}
      {open?.what === 'values' && <ShopCredentials made={open.made} onClose={close} />}
      {open?.what === 'renew' && <Renew shop={open.shop} onClose={close} onDone={show} />}
      {open?.what === 'test' && <TestOrder shop={open.shop} onClose={close} />}
      {open?.what === 'end' && <End shop={open.shop} onClose={close} />}
    </Drawer>
  )
}

function One({ shop, onOpen }: { shop: Shop; onOpen(what: Act): void }) {
  const t = useMessages('shops')
  const inSandbox = useCell(isSandbox)
  const { id, protocol } = shop
  const name = `${shopProtocolNames[protocol]} ${id}`
  return (
    <li aria-label={name} className="rounded-lg border border-line">
      <div className="flex items-center justify-between gap-3 px-4 pt-3">
        <h3 className="text-sm font-semibold">{shopProtocolNames[protocol]}</h3>
        <StateText kind={shop.key_used ? 'success' : 'closed'}>{shop.key_used ? t.used : t.unused}</StateText>
      </div>
      <div className="px-4">
        <DetailList
          rows={[
            [t.url, <CopyText key="url" look="whole" value={shop.url} label={t.url} />],
            [
              hasShopIdField(protocol) ? t.ids[protocol] : t.id,
              <CopyText key="id" look="whole" value={id} label={t.id} />,
            ],
            [
              t.key,
              <span key="key" className="num">
                {shop.key}
              </span>,
            ],
            ...(shop.previous_until > 0
              ? [[t.oldKeyUntil, <Time key="until" seconds={shop.previous_until} />] as const]
              : []),
            ...(shop.notify_url
              ? [
                  [
                    t.webhookUrl,
                    <span key="notify" className="break-all">
                      {shop.notify_url}
                    </span>,
                  ] as const,
                ]
              : []),
            [t.currency, shop.currency],
            [t.connected, <Time key="time" seconds={shop.created_time} />],
          ]}
        />
      </div>
      <div className="border-t border-line px-4 py-3">
        <ShopRefusals refusals={shop.refusals} />
      </div>
      <details className="border-t border-line px-4 py-3">
        <summary className="w-fit rounded-sm text-sm">{t.where}</summary>
        <div className="mt-3">
          <ShopSettingsGuide protocol={protocol} given={shop} whole={false} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        {inSandbox && (
          <Button size="small" icon="send" onClick={() => onOpen('test')}>
            {t.test}
          </Button>
        )}
        <Button size="small" icon="refresh" onClick={() => onOpen('renew')}>
          {t.renew}
        </Button>
        <Button size="small" icon="close" onClick={() => onOpen('end')}>
          {t.end}
        </Button>
        {!inSandbox && <p className="w-full text-xs text-ink-3">{t.testElsewhere}</p>}
      </div>
    </li>
  )
}

interface ChangeProps {
  shop: Shop
  onClose(): void
}

function Renew({ shop, onClose, onDone }: ChangeProps & { onDone(made: NewShop): void }) {
  const t = useMessages('shops')
  const applications = useMessages('applications')
  return (
    // The old key stays valid for a day unless another time is chosen, so that no shop stands still.
    <ActionForm<{ keep_seconds: KeyOverlapSeconds }, NewShop>
      danger
      title={t.renewTitle}
      text={t.renewText(shopProtocolNames[shop.protocol])}
      verb={t.renew}
      proof={useProof('application')}
      refreshes={['GET /api/v1/user/shop/list']}
      onClose={onClose}
      initial={{ keep_seconds: 86_400 }}
      fields={[
        {
          name: 'keep_seconds',
          draw: props => <KeyOverlapField {...props} legend={applications.keepKey} />,
        },
      ]}
      call={async (values, proof) => ({
        protocol: shop.protocol,
        ...(await api('PUT /api/v1/user/shop/key', { body: { id: shop.id, ...values, ...proof } })),
      })}
      onDone={onDone}
    />
  )
}

function End({ shop, onClose }: ChangeProps) {
  const t = useMessages('shops')
  return (
    <ActionForm
      danger
      title={t.endTitle}
      text={t.endText(shopProtocolNames[shop.protocol])}
      verb={t.end}
      proof={useProof('application')}
      refreshes={['GET /api/v1/user/shop/list']}
      onClose={onClose}
      call={(_values, proof) => api('DELETE /api/v1/user/shop', { body: { id: shop.id, ...proof } })}
      done={t.ended}
    />
  )
}
