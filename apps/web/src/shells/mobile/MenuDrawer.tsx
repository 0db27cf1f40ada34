import { merchantStatus } from '@coffer/contract/codes.ts'
import { languageList, languages } from '@coffer/contract/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { chooseLanguage, useMessages } from '../../i18n/messages.ts'
import { logout } from '../../kit/logout.ts'
import { useCloseOnBack } from '../../kit/mobile/useCloseOnBack.ts'
import { useCell } from '../../lib/useCell.ts'
import { chooseTheme, theme, themes } from '../../theme/theme.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SideDrawer } from '../SideDrawer.tsx'
import { type MenuRoute, useMenu } from '../useMenu.ts'

const itemClass = 'flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-[15px] focus-visible:-outline-offset-2'

/** Everything a merchant can reach, with the language and the way out. Without permission its pages are disabled. */
export default function MenuDrawer({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  const common = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  useCloseOnBack(onClose)
  return (
    <SideDrawer
      label={t.mainMenu}
      className="w-[min(304px,calc(100vw-48px))] pt-[env(safe-area-inset-top)] pl-[env(safe-area-inset-left)]"
      onClose={onClose}
    >
      <div className="flex items-center justify-between gap-2 border-b border-line py-2 pr-1 pl-5">
        <span className="min-w-0">
          <span className="block truncate text-[15px] font-semibold">{user?.name || common.productName}</span>
          <span className="block truncate text-[13px] text-ink-2">{user?.email}</span>
        </span>
        <IconButton icon="close" label={t.closeMenu} onClick={onClose} />
      </div>
      <div className="relative min-h-0 grow overflow-y-auto overscroll-contain px-2 pb-[max(16px,env(safe-area-inset-bottom))]">
        <Pages approved={user?.status === merchantStatus.approved} onClose={onClose} />
        <Looks />
        <Others sandbox={user?.sandbox === true} />
      </div>
    </SideDrawer>
  )
}

interface PagesProps {
  approved: boolean
  onClose(): void
}

function Pages({ approved, onClose }: PagesProps) {
  const t = useMessages('shell')
  const { groups, waitingAt } = useMenu()
  return (
    <nav aria-label={t.mainMenu}>
      {groups.map(({ group, entries }) => (
        <div key={group} className="mt-3">
          <h2 className="px-3 py-1 text-xs font-medium text-ink-3">{t.groups[group]}</h2>
          <ul>
            {entries.map(entry => (
              <li key={entry.path}>
                <Entry entry={entry} waiting={waitingAt(entry)} approved={approved} onClose={onClose} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function Entry({
  entry: { path, title, menu },
  waiting,
  approved,
  onClose,
}: PagesProps & { entry: MenuRoute; waiting: number }) {
  const inLanguage = useCell(language)
  const contents = (
    <>
      <Icon name={menu.icon} className="shrink-0" />
      <span className="truncate">{title[inLanguage]}</span>
      {waiting > 0 && <span className="num rounded-full bg-bad-fill px-1.5 text-[11px] text-on-accent">{waiting}</span>}
    </>
  )
  if (approved)
    return (
      <Link to={path} look="none" onClick={onClose} className={`${itemClass} active:bg-sunken`}>
        {contents}
      </Link>
    )
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link that leads nowhere until there is permission
    <a role="link" aria-disabled="true" className={cx(itemClass, 'text-ink-3 opacity-60')}>
      {contents}
    </a>
  )
}

/** Language and colours. */
function Looks() {
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const look = useCell(theme)
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line px-3 pt-4">
      <Tabs
        look="box"
        label={common.language}
        value={inLanguage}
        tabs={languageList.map(each => ({
          value: each,
          title: <span lang={each}>{languages[each].name}</span>,
        }))}
        onChange={next => void chooseLanguage(next)}
      />
      <Tabs
        look="box"
        label={common.theme}
        value={look}
        tabs={themes.map(each => ({ value: each, title: common.themes[each] }))}
        onChange={chooseTheme}
      />
    </div>
  )
}

/** What leads out of the back-office. */
function Others({ sandbox }: { sandbox: boolean }) {
  const t = useMessages('shell')
  return (
    <div className="mt-3">
      {sandbox && (
        <a href="/sandbox" target="_blank" rel="noreferrer" className={itemClass}>
          <Icon name="external" />
          {t.testMode}
        </a>
      )}
      <a href="/docs" target="_blank" rel="noreferrer" className={itemClass}>
        <Icon name="book" />
        {t.documentation}
      </a>
      <button type="button" className={itemClass} onClick={() => void logout()}>
        <Icon name="logout" />
        {t.logout}
      </button>
    </div>
  )
}
