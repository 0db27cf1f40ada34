import { applicationStatus } from '@coffer/contract/codes.ts'
import type { Messages } from '../../i18n/areas.ts'
import { actionsColumn, stateColumn, TruncatedText } from '../../kit/list/columns.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Menu, type MenuItem } from '../../ui/controls/Menu.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Time } from '../../ui/data/Values.tsx'
import type { Application } from './settings.ts'

export interface ApplicationRowActions {
  onEdit(application: Application): void
  menu(application: Application): MenuItem[]
}

export const applicationColumns = (
  t: Messages<'applications'>,
  { onEdit, menu }: ApplicationRowActions,
): Column<Application>[] => [
  {
    title: t.name,
    sticky: 'start',
    cell: row => <ApplicationName application={row} />,
  },
  {
    title: t.appidAndKey,
    cell: row => (
      <TwoLines
        first={<CopyText value={row.appid} label={t.appid} />}
        second={
          <>
            <span className="num whitespace-nowrap">{row.key}</span>
            {row.previous_key_until > 0 && <Until text={t.oldKeyUntil} seconds={row.previous_key_until} />}
            {row.previous_webhook_until > 0 && <Until text={t.oldWebhookUntil} seconds={row.previous_webhook_until} />}
          </>
        }
      />
    ),
  },
  {
    title: t.notifyUrl,
    cell: row =>
      row.notify_url ? (
        <TruncatedText width="max-w-64">{row.notify_url}</TruncatedText>
      ) : (
        <span className="text-ink-3">{t.noNotifyUrl}</span>
      ),
  },
  {
    title: t.ipWhitelist,
    cell: row => (
      <span className={row.ip_whitelist_enabled ? 'whitespace-nowrap' : 'text-ink-3'}>
        {row.ip_whitelist_enabled ? t.ipCount(row.ip_whitelist.length) : t.off}
      </span>
    ),
  },
  stateColumn(t.status, row =>
    row.status === applicationStatus.enabled ? ['success', t.states.enabled] : ['closed', t.states.disabled],
  ),
  { title: t.created, isWide: true, cell: row => <Time day seconds={row.created_time} className="text-ink-2" /> },
  actionsColumn(row => (
    <span className="inline-flex">
      <IconButton
        call="PUT /api/v1/user/secret-key"
        icon="edit"
        label={t.editNamed(row.name)}
        onClick={() => onEdit(row)}
      />
      <Menu
        label={t.menuOf(row.name)}
        items={menu(row)}
        trigger={props => <IconButton icon="more" label={t.menuOf(row.name)} {...props} />}
      />
    </span>
  )),
]

const ApplicationName = ({ application }: { application: Application }) => (
  <span className="flex max-w-40 items-center gap-3 sm:max-w-60">
    <ApplicationLogo application={application} />
    <span className="min-w-0">
      <span title={application.name} className="block truncate font-medium">
        {application.name}
      </span>
      {application.remark && (
        <span title={application.remark} className="block truncate text-xs text-ink-3">
          {application.remark}
        </span>
      )}
    </span>
  </span>
)

/** When a replaced secret ends. */
const Until = ({ text, seconds }: { text: string; seconds: number }) => (
  <span className="whitespace-nowrap">
    · {text} <Time seconds={seconds} />
  </span>
)

export const ApplicationLogo = ({ application }: { application: Application }) =>
  application.logo ? (
    <img src={application.logo} alt="" width={32} height={32} className="size-8 shrink-0 rounded-md object-cover" />
  ) : (
    <span
      aria-hidden="true"
      className="flex size-8 shrink-0 items-center justify-center rounded-md bg-accent-soft text-sm font-semibold text-accent-text"
    >
      {application.name.trim().slice(0, 1).toUpperCase()}
    </span>
  )
