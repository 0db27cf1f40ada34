import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { LanguagePicker, ThemePicker } from '../kit/Pickers.tsx'
import { useCell } from '../lib/useCell.ts'
import { cx, linkClass } from '../ui/classes.ts'
import { Card } from '../ui/data/Card.tsx'
import { PageHeader } from '../ui/data/PageHeader.tsx'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { ProductLogo } from '../ui/ProductLogo.tsx'
import { Approval } from './Approval.tsx'
import { Chains } from './Chains.tsx'
import { requestSandbox } from './call.ts'
import { Inbox } from './Inbox.tsx'
import { OutsideWallet, Transaction } from './OutsideWallet.tsx'
import { Wallet } from './Wallet.tsx'

/** The page /sandbox, which stands in for the operator, the payers, the merchant's mailbox and the chains. */
export function Page() {
  const t = useMessages('sandbox')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const [txid] = useState(() => new URLSearchParams(location.search).get('txid'))
  useEffect(() => {
    document.title = `${t.title} · ${common.productName}`
    document.documentElement.lang = inLanguage
  }, [t, common, inLanguage])
  // The places named in links are drawn after the browser looked for them.
  useEffect(() => {
    const place = location.hash && document.getElementById(location.hash.slice(1))
    if (place) place.focus()
  }, [])
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 items-center justify-between border-b border-line bg-surface px-4 sm:px-6">
        <span className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
          <ProductLogo />
          <span className="max-sm:sr-only">{common.productName}</span>
        </span>
        <nav className="flex items-center gap-1">
          <ConsoleLink />
          <a href="/" className={cx(linkClass, 'mr-2 text-[13px]')}>
            {t.back}
          </a>
          <LanguagePicker />
          <ThemePicker />
        </nav>
      </header>
      <main className="mx-auto w-full max-w-[1120px] grow px-4 py-5 sm:px-6">
        <PageHeader title={t.title} text={t.note} />
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {txid && (
            <div className="min-w-0 lg:col-span-2">
              <Place id="transaction" title={t.transaction}>
                <Transaction txid={txid} />
              </Place>
            </div>
          )}
          <div className="flex min-w-0 flex-col gap-4">
            <Place id="approval" title={t.approval}>
              <Approval />
            </Place>
            <Place id="wallet" title={t.wallet}>
              <Wallet />
            </Place>
            <Place id="chains" title={t.chains}>
              <Chains />
            </Place>
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <Place id="inbox" title={t.inbox}>
              <Inbox />
            </Place>
            <Place id="outside" title={t.outside}>
              <OutsideWallet />
            </Place>
          </div>
        </div>
      </main>
      <Toasts />
    </div>
  )
}

/** Leads to the operator's console, which listens on a port of its own and signs in by itself here. */
function ConsoleLink() {
  const t = useMessages('sandbox')
  const { data } = useQuery({
    queryKey: ['sandbox', 'console'],
    queryFn: () => requestSandbox<{ url: string }>('console'),
    retry: false,
  })
  return (
    data && (
      <a href={data.url} target="_blank" rel="noreferrer" className={cx(linkClass, 'mr-2 text-[13px]')}>
        {t.console}
      </a>
    )
  )
}

/** A card that links lead to. */
const Place = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <div id={id} tabIndex={-1} className="min-w-0 scroll-mt-4 rounded-lg">
    <Card title={title} flush>
      {children}
    </Card>
  </div>
)
