import { applicationStatus } from '@coffer/contract/codes.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { BottomAction } from '../../kit/mobile/BottomAction.tsx'
import { RowsPage } from '../../kit/mobile/RowsPage.tsx'
import { useList } from '../../kit/mobile/useList.ts'
import { useMay } from '../../lib/refused.ts'
import { lists } from '../../lists.ts'
import { cx } from '../../ui/classes.ts'
import type { MenuItem } from '../../ui/controls/Menu.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { StateText } from '../../ui/feedback/Badge.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ApplicationLogo } from './columns.tsx'
import { useApplicationActions } from './Page.tsx'
import type { Application } from './settings.ts'

/** Applications on a phone: a tap shows one with everything that can be done with it. */
export default function Applications() {
  const t = useMessages('applications')
  const may = useMay()
  const list = useList(lists.applications)
  const navigate = useNavigate()
  const { approved, create, onEdit, menu, dialog } = useApplicationActions({
    opened: list.opened,
    close: () => void navigate({ to: '.', search: {}, replace: true }),
  })
  const [shown, setShown] = useState<Application | null>(null)
  const done = (act: () => unknown) => () => {
    setShown(null)
    act()
  }
  return (
    <RowsPage
      title={t.title}
      caption={t.caption}
      list={list}
      rowKey="appid"
      onOpen={setShown}
      row={row => ({
        picture: <ApplicationLogo application={row} />,
        title: row.name,
        text: row.notify_url || t.noNotifyUrl,
        note: (
          <StateText kind={row.status === applicationStatus.enabled ? 'success' : 'closed'}>
            {t.states[row.status === applicationStatus.enabled ? 'enabled' : 'disabled']}
          </StateText>
        ),
      })}
      empty={<Empty icon="key" title={t.emptyTitle} text={approved ? t.emptyText : t.needsOpening} />}
    >
      <BottomAction>{create}</BottomAction>
      {shown && (
        <Modal open title={shown.name} text={shown.remark} onClose={() => setShown(null)}>
          <DetailList
            rows={[
              [t.appid, <CopyText key="appid" look="whole" value={shown.appid} label={t.appid} />],
              [t.notifyUrl, shown.notify_url || t.noNotifyUrl],
              [t.ipWhitelist, shown.ip_whitelist_enabled ? t.ipCount(shown.ip_whitelist.length) : t.off],
            ]}
          />
          <ul aria-label={t.menuOf(shown.name)} className="mt-2 divide-y divide-line border-t border-line">
            {may('PUT /api/v1/user/secret-key') && (
              <ActionOfApplication icon="edit" label={t.editNamed(shown.name)} onSelect={done(() => onEdit(shown))} />
            )}
            {menu(shown).map(({ key, onSelect, ...item }) => (
              <ActionOfApplication key={key} {...item} onSelect={done(onSelect)} />
            ))}
          </ul>
        </Modal>
      )}
      {dialog}
    </RowsPage>
  )
}

function ActionOfApplication({ label, icon, onSelect, disabled = false, danger = false }: Omit<MenuItem, 'key'>) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        onClick={onSelect}
        className={cx(
          'flex min-h-12 w-full items-center gap-3 text-left text-[15px] disabled:text-ink-3 disabled:opacity-60',
          danger && 'text-bad',
        )}
      >
        {icon && <Icon name={icon} className="shrink-0" />}
        {label}
      </button>
    </li>
  )
}
