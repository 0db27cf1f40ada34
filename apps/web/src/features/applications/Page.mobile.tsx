import { applicationStatus } from '@coffer/contract/codes.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { listQuery } from '../../kit/list/query.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { Rows } from '../../kit/mobile/Rows.tsx'
import { Thumb } from '../../kit/mobile/Thumb.tsx'
import { useEndless } from '../../kit/mobile/useEndless.ts'
import { cx } from '../../ui/classes.ts'
import { Facts } from '../../ui/data/Facts.tsx'
import { CopyText } from '../../ui/data/Values.tsx'
import { StateText } from '../../ui/feedback/Badge.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Logo } from './columns.tsx'
import { useApplications } from './Page.tsx'
import type { Application } from './settings.ts'

/** Applications on a phone: a tap shows one with everything that can be done with it. */
export default function Applications() {
  const t = useMessages('applications')
  const list = useEndless(
    useListSearch(useSearch({ from: '/appManage' })),
    (filters, page) => apiQuery('GET /api/v1/user/secret-key/list', { query: listQuery(filters, page) }),
    { drawer: 'appid' },
  )
  const navigate = useNavigate()
  const { approved, create, onEdit, menu, dialog } = useApplications({
    opened: list.opened,
    close: () => void navigate({ to: '.', search: {}, replace: true }),
  })
  const [shown, setShown] = useState<Application | null>(null)
  const done = (act: () => unknown) => () => {
    setShown(null)
    act()
  }
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <Rows
        label={t.caption}
        list={list}
        rowKey={row => row.appid}
        onOpen={row => setShown(row)}
        row={row => ({
          picture: <Logo application={row} />,
          title: row.name,
          text: row.notify_url || t.noNotifyUrl,
          note: (
            <StateText kind={row.status === applicationStatus.enabled ? 'success' : 'closed'}>
              {t.states[row.status === applicationStatus.enabled ? 'enabled' : 'disabled']}
            </StateText>
          ),
        })}
        empty={<Empty icon="key" title={t.emptyTitle} text={approved ? t.emptyText : t.needsOpening} />}
      />
      <Thumb>{create}</Thumb>
      {shown && (
        <Modal open title={shown.name} text={shown.remark} onClose={() => setShown(null)}>
          <Facts
            rows={[
              [t.appid, <CopyText key="appid" look="whole" value={shown.appid} label={t.appid} />],
              [t.notifyUrl, shown.notify_url || t.noNotifyUrl],
              [t.ipWhitelist, shown.ip_whitelist_enabled ? t.ipCount(shown.ip_whitelist.length) : t.off],
            ]}
          />
          <ul aria-label={t.menuOf(shown.name)} className="mt-2 divide-y divide-line border-t border-line">
            {[
              { key: 'edit', label: t.editNamed(shown.name), icon: 'edit' as const, onSelect: () => onEdit(shown) },
              ...menu(shown),
            ].map(({ key, label, icon, onSelect, ...rest }) => (
              <li key={key}>
                <button
                  type="button"
                  disabled={'disabled' in rest && rest.disabled === true}
                  onClick={done(onSelect)}
                  className={cx(
                    'flex min-h-12 w-full items-center gap-3 text-left text-[15px] disabled:text-ink-3 disabled:opacity-60',
                    'danger' in rest && rest.danger && 'text-bad',
                  )}
                >
                  {icon && <Icon name={icon} className="shrink-0" />}
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </Modal>
      )}
      {dialog}
    </>
  )
}
