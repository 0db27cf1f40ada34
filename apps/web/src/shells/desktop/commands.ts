import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { isNonBlankText } from '@coffer/contract/kit/texts.ts'
import { languageList, languages } from '@coffer/contract/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { chooseLanguage, useMessages } from '../../i18n/messages.ts'
import { logout } from '../../kit/logout.ts'
import { useMayOpen } from '../../lib/refused.ts'
import { useCell } from '../../lib/useCell.ts'
import { routes } from '../../routes.ts'
import { chooseTheme, themes } from '../../theme/theme.ts'
import { formatPaymentStatus } from '../../ui/feedback/StateBadge.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { useIsListed } from '../useMenu.ts'

export interface Command {
  key: string
  label: string
  /** Shown at the end of the line: the state of a payment, an application's id. */
  note?: string
  icon: IconName
  run(): void
}

export interface CommandGroup {
  name: 'payments' | 'pages' | 'applications' | 'actions'
  title: string
  commands: Command[]
}

/** Commands that match the text, in non-empty groups. `waiting`: payments are still being searched. */
export function useCommands(text: string): { groups: CommandGroup[]; waiting: boolean } {
  const texts = useMessages('desktop')
  const wanted = text.trim().toLowerCase()
  const fits = ({ label, note = '' }: Command) => `${label} ${note}`.toLowerCase().includes(wanted)
  const payments = usePayments(text.trim())
  const groups: CommandGroup[] = [
    { name: 'payments', title: texts.payments, commands: payments.commands },
    { name: 'pages', title: texts.pages, commands: usePages().filter(fits) },
    { name: 'applications', title: texts.applications, commands: useApplications().filter(fits) },
    { name: 'actions', title: texts.actions, commands: useActions().filter(fits) },
  ]
  return { groups: groups.filter(group => group.commands.length > 0), waiting: payments.waiting }
}

function usePages(): Command[] {
  const inLanguage = useCell(language)
  const navigate = useNavigate()
  const isListed = useIsListed()
  return routes.filter(isListed).map(route => ({
    key: `page${route.path.replaceAll('/', '-')}`,
    label: route.title[inLanguage],
    icon: route.menu?.icon ?? 'arrowRight',
    run: () => void navigate({ to: route.path }),
  }))
}

function useApplications(): Command[] {
  const navigate = useNavigate()
  const may = useMayOpen()
  const { data } = useQuery({ ...apiQuery('GET /api/v1/user/secret-key/select', {}), enabled: may('/appManage') })
  return (data?.list ?? []).map(({ appid, name }) => ({
    key: `application-${appid}`,
    label: name,
    note: appid,
    icon: 'key',
    run: () => void navigate({ to: '/appManage', search: { appid } }),
  }))
}

const isSearched = (text: string) => isNonBlankText(text) && text.length <= 128

/** Debounce (ms) of the payment search. */
const restMs = 250

/** Payments whose order number, address or transaction hash begins with the text, or whose price it is. */
function usePayments(text: string): { commands: Command[]; waiting: boolean } {
  const t = useMessages('shell')
  const inLanguage = useCell(language)
  const navigate = useNavigate()
  const number = useRested(text)
  const { data, isFetching } = useQuery({
    ...apiQuery('GET /api/v1/transactions/search', { query: { text: number } }),
    enabled: isSearched(number),
  })
  const list = isSearched(number) && number === text ? (data?.list ?? []) : []
  return {
    waiting: isSearched(text) && (number !== text || isFetching),
    commands: list.map(({ trade_no, out_trade_no, title, usdt_amount, fiat_name, fiat_amount, status }) => ({
      key: `payment-${trade_no}`,
      label: title || out_trade_no,
      note: `${formatAmount(fiat_amount || usdt_amount, inLanguage, fiat_name)} ${fiat_name || 'USDT'} · ${formatPaymentStatus(t, status)}`,
      icon: 'list',
      run: () => void navigate({ to: '/record', search: { trade_no } }),
    })),
  }
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

function useActions(): Command[] {
  const t = useMessages('shell')
  const common = useMessages('common')
  return [
    ...themes.map(theme => ({
      key: `theme-${theme}`,
      label: common.pair(common.theme, common.themes[theme]),
      icon: 'sun' as const,
      run: () => chooseTheme(theme),
    })),
    ...languageList.map(each => ({
      key: `language-${each}`,
      label: common.pair(common.language, languages[each].name),
      icon: 'globe' as const,
      run: () => void chooseLanguage(each),
    })),
    { key: 'docs', label: t.documentation, icon: 'book', run: () => void window.open('/docs', '_blank', 'noreferrer') },
    { key: 'logout', label: t.logout, icon: 'logout', run: () => void logout() },
  ]
}
