import { merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { switchShop } from '../../kit/shops.ts'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Loading } from '../../ui/feedback/States.tsx'

/** The shops that the person belongs to, for who does not work alone: to switch, and to leave the present one. */
export function Shops() {
  const t = useMessages('identity')
  const inLanguage = useCell(language)
  const shops = useQuery(apiQuery('GET /api/v1/member/shop', {}))
  const [leaving, setLeaving] = useState<string | null>(null)
  return (
    <Card title={t.shops} className="mt-4">
      {!shops.data ? (
        <Loading of={shops} className="h-11 w-full" />
      ) : (
        <ul className="divide-y divide-line text-sm">
          {shops.data.list.map(({ mchid, name, role, current }) => (
            <li key={mchid} className="flex flex-wrap items-center justify-between gap-2 py-3 first:pt-0 last:pb-0">
              <span className="flex min-w-0 flex-wrap items-center gap-2">
                <span className="font-medium break-all">{name || mchid}</span>
                <Badge kind="closed">{merchantRoleTexts[role].name[inLanguage]}</Badge>
                {current && <Badge kind="processing">{t.shopOpen}</Badge>}
              </span>
              {!current && (
                <Button size="small" onClick={() => void switchShop(mchid)}>
                  {t.switchShop}
                </Button>
              )}
              {current && shops.data.may_leave && (
                <Button size="small" onClick={() => setLeaving(name || mchid)}>
                  {t.leaveShop}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {leaving !== null && <Leave shop={leaving} onClose={() => setLeaving(null)} />}
    </Card>
  )
}

function Leave({ shop, onClose }: { shop: string; onClose(): void }) {
  const t = useMessages('identity')
  return (
    <ActionForm
      danger
      title={t.leaveTitle(shop)}
      text={t.leaveText}
      verb={t.leaveShop}
      proof={useProof('members')}
      call={async (_values, confirmed) => {
        await api('POST /api/v1/member/leave', { body: confirmed })
        forgetToken()
        goToLogin()
      }}
      onClose={onClose}
    />
  )
}
