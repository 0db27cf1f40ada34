import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { LanguagePicker, ThemePicker } from '../../kit/Pickers.tsx'
import { controlClass, cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import favicon from '../../ui/favicon.svg?raw'
import { ErrorState } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProductLogo } from '../../ui/ProductLogo.tsx'
import { api, endConsoleSession, usePermissionCheck, useRead } from '../kit/api.ts'
import { Link, useConsoleNavigate } from '../kit/links.tsx'
import { type MenuEntry, menuOf } from '../routes.ts'
import { showCountOnFavicon } from './favicon.ts'
import { MoneyStatusBar } from './MoneyStatusBar.tsx'

type Waiting = Partial<Record<string, number>>

/** What surrounds every page: header and menu. */
export function Shell() {
  const t = useMessages('operator')
  const shell = useMessages('shell')
  const page = useLocation({ select: ({ pathname }) => pathname.split('/')[1] })
  const me = useRead('GET /api/operator/v1/session', {})
  const entries = menuOf(usePermissionCheck())
  const current = entries.find(({ path }) => path === `/${page}`)
  const title = current ? t.menu[current.menu.name] : t.title
  const waiting: Waiting = useRead('GET /api/operator/v1/accounted', {}).data?.waiting ?? {}
  const total = Object.values(waiting).reduce<number>((sum, count = 0) => sum + count, 0)
  useEffect(() => {
    document.title = `${total > 0 ? `(${total}) ` : ''}${title} · ${t.title}`
    showCountOnFavicon(favicon, total)
    // On phones the menu is a row that is scrolled.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [t, title, total])
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        {shell.skipToContent}
      </a>
      <Header />
      <MoneyStatusBar />
      <div className="flex min-w-0 grow flex-col md:flex-row">
        <Menu entries={entries} current={current} waiting={waiting} />
        <main id="content" tabIndex={-1} className="min-w-0 grow px-4 py-5 outline-none sm:px-6">
          <div className="mx-auto w-full max-w-[1280px]">
            {me.error && !me.data ? <ErrorState error={me.error} onRetry={() => void me.refetch()} /> : <Outlet />}
          </div>
        </main>
      </div>
    </>
  )
}

/** The product, the search, and who is signed in. */
function Header() {
  const t = useMessages('operator')
  const { data: me } = useRead('GET /api/operator/v1/session', {})
  const may = usePermissionCheck()
  const signOut = async () => {
    await api('DELETE /api/operator/v1/session', {}).catch(() => {})
    endConsoleSession()
  }
  return (
    <header className="flex h-14 items-center justify-between gap-3 border-b border-line bg-surface px-4 sm:px-6">
      <Link to="/" look="none" aria-label={t.title} className="shrink-0 rounded-lg">
        <ProductLogo />
      </Link>
      <span className="mr-auto text-base font-semibold tracking-tight whitespace-nowrap max-md:hidden">{t.title}</span>
      {may('GET /api/operator/v1/search') ? <Search /> : <span className="grow" />}
      <div className="flex shrink-0 items-center gap-1">
        {me && (
          <span className="mr-2 text-[13px] text-ink-2 max-lg:hidden">
            {me.email} · {t.roles[me.role]}
          </span>
        )}
        <LanguagePicker />
        <ThemePicker />
        <IconButton icon="logout" label={t.signOut} onClick={() => void signOut()} />
      </div>
    </header>
  )
}

interface MenuProps {
  entries: readonly MenuEntry[]
  current: MenuEntry | undefined
  waiting: Waiting
}

/** The pages that the operator may read, with the number of what waits on each. */
function Menu({ entries, current, waiting }: MenuProps) {
  const t = useMessages('operator')
  const { mainMenu } = useMessages('shell')
  return (
    <nav
      aria-label={mainMenu}
      className="relative shrink-0 overflow-x-auto border-b border-line bg-surface md:w-[208px] md:border-r md:border-b-0"
    >
      <ul className="flex gap-0.5 px-3 py-2 md:sticky md:top-0 md:flex-col md:py-3">
        {entries.map(({ path, menu: { name, icon } }) => (
          <li key={path}>
            <Link
              to={path}
              look="none"
              aria-current={path === current?.path ? 'page' : undefined}
              className={cx(
                'flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm whitespace-nowrap focus-visible:-outline-offset-2 pointer-coarse:h-11',
                path === current?.path
                  ? 'bg-accent-soft font-medium text-accent-text'
                  : 'text-ink-2 hover:bg-sunken hover:text-ink',
              )}
            >
              <Icon name={icon} className="shrink-0" />
              {t.menu[name]}
              {Boolean(waiting[name]) && (
                <span className="num ml-auto rounded-full bg-sunken px-2 text-xs font-medium text-ink-2">
                  <span className="sr-only">{t.waitingNumber}: </span>
                  {waiting[name]}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Searches from every page; the results are a page of their own. */
function Search() {
  const t = useMessages('operator')
  const navigate = useConsoleNavigate()
  return (
    <search className="relative min-w-0 max-w-96 grow">
      <form
        onSubmit={event => {
          event.preventDefault()
          const field = event.currentTarget.elements.namedItem('text') as HTMLInputElement
          const text = field.value.trim()
          field.value = ''
          if (text) void navigate({ to: '/search', search: { text } })
        }}
      >
        <Icon
          name="search"
          size={16}
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
        />
        <input
          name="text"
          type="search"
          maxLength={128}
          autoComplete="off"
          aria-label={t.search}
          placeholder={t.search}
          className={cx(controlClass, 'pl-9')}
        />
      </form>
    </search>
  )
}
