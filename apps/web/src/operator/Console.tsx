import { Suspense, useEffect } from 'react'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { LanguagePicker, ThemePicker } from '../kit/Pickers.tsx'
import { useCell } from '../lib/useCell.ts'
import { Brand } from '../login/Frame.tsx'
import { cx } from '../ui/classes.ts'
import { Button } from '../ui/controls/Button.tsx'
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx'
import { ErrorState, Skeleton } from '../ui/feedback/States.tsx'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { Icon } from '../ui/icons.tsx'
import { api, leave, signedIn, useRead } from './api.ts'
import { FreshHost } from './FreshHost.tsx'
import { pages } from './pages.ts'
import { A, usePlace } from './place.tsx'
import { SignIn } from './SignIn.tsx'

/** The operator's console: the sign-in, or the menu and a page. */
export function Console() {
  const inside = useCell(signedIn)
  const inLanguage = useCell(language)
  useEffect(() => {
    document.documentElement.lang = inLanguage
  }, [inLanguage])
  return (
    <div className="flex min-h-dvh flex-col">
      {inside ? <Inside /> : <SignIn />}
      <FreshHost />
      <ConfirmHost />
      <Toasts />
    </div>
  )
}

function Inside() {
  const t = useMessages('operator')
  const shell = useMessages('shell')
  const { page } = usePlace()
  const me = useRead('GET /api/operator/v1/session', {})
  const current = page === '' ? pages[0] : pages.find(each => each.path === page)
  const title = current ? t.menu[current.name] : undefined
  useEffect(() => {
    document.title = `${title ?? t.title} · ${t.title}`
    // On phones the menu is a row that is scrolled.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [t, title])
  const signOut = async () => {
    await api('DELETE /api/operator/v1/session', {}).catch(() => {})
    leave()
  }
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        {shell.skipToContent}
      </a>
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 border-b border-line bg-surface px-4 py-2 sm:px-6">
        <Brand name={t.title} />
        <div className="flex flex-wrap items-center gap-1">
          {me.data && (
            <span className="mr-2 text-[13px] break-all text-ink-2">
              {me.data.email} · {t.roles[me.data.role]}
            </span>
          )}
          <LanguagePicker />
          <ThemePicker />
          <Button look="ghost" icon="logout" onClick={() => void signOut()}>
            {t.signOut}
          </Button>
        </div>
      </header>
      <div className="flex min-w-0 grow flex-col md:flex-row">
        <nav
          aria-label={shell.mainMenu}
          className="relative shrink-0 overflow-x-auto border-b border-line bg-surface md:w-[208px] md:border-r md:border-b-0"
        >
          <ul className="flex gap-0.5 px-3 py-2 md:sticky md:top-0 md:flex-col md:py-3">
            {pages.map(({ path, name, icon }) => (
              <li key={name}>
                <A
                  to={`/${path}`}
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
                </A>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1} className="min-w-0 grow px-4 py-5 outline-none sm:px-6">
          <div className="mx-auto w-full max-w-[1280px]">
            {me.error && !me.data ? (
              <ErrorState error={me.error} onRetry={() => void me.refetch()} />
            ) : (
              <Suspense fallback={<Skeleton className="h-64 w-full rounded-lg" />}>
                {current ? <current.Page key={current.name} /> : <ErrorState error={null} />}
              </Suspense>
            )}
          </div>
        </main>
      </div>
    </>
  )
}
