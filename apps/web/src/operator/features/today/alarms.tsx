import { formatStoredReason, nodeFailureText } from '@coffer/contract/incidents/reasons.ts'
import { priceSourceName } from '@coffer/contract/labels/price-sources.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { incidentNames, unknownIncident } from '@coffer/contract/operator/names.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { language } from '../../../i18n/language.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Amount } from '../../../ui/data/Values.tsx'
import { formatTimeAgo } from '../../kit/times.ts'
import { createItemIfAny, formatTimeSince, type TodayItem } from './TodayItems.tsx'

type Today = OperatorData<'GET /api/operator/v1/today'>

/** What is wrong, the worst first. */
export function useAlarms(today: Today | undefined): TodayItem[] {
  const t = useMessages('operator')
  const { factNames } = useMessages('incidents')
  const { pair } = useMessages('common')
  if (!today) return []
  return [
    ...today.open.map(incident => incidentItem(t, factNames, incident)),
    ...olderIncidents(t, today),
    ...walletsItem(t, today),
    ...today.chains.filter(({ name }) => !isReported(today, name)).map(chain => chainItem(t, chain)),
    ...today.paused.map(queue => queueItem(t, queue)),
    ...today.nodes.map(node => nodeItem(t, node)),
    ...pricesItem(t, pair, today.silent_prices),
    ...createItemIfAny(today.dead_letters, { text: t.todoDead(today.dead_letters), to: '/queues' }),
  ]
}

function incidentItem(
  t: Messages<'operator'>,
  factNames: Messages<'incidents'>['factNames'],
  { id, kind, chain, since, amount, token, fact }: Today['open'][number],
): TodayItem {
  const name = incidentNames[language.get()][kind] ?? unknownIncident[language.get()]
  return {
    key: id,
    to: '/incidents/$id',
    params: { id },
    text: [name, chain].filter(Boolean).join(' · '),
    detail: (
      <>
        {amount && `${factNames[fact as keyof typeof factNames] ?? ''} `}
        {token ? <Amount value={amount} unit={token} /> : amount}
        {amount && ' · '}
        {t.lasts(formatTimeSince(t, since))}
      </>
    ),
  }
}

/** Those beyond the ones that are listed. */
function olderIncidents(t: Messages<'operator'>, { incidents, open, incidents_since }: Today) {
  const older = incidents - open.length
  return createItemIfAny(older, {
    text: t.olderIncidents(older),
    to: '/incidents',
    detail: t.oldestLasts(formatTimeSince(t, incidents_since)),
  })
}

/** Wallets that lack funds or are halted, with the payouts that wait for them. */
const walletsItem = (t: Messages<'operator'>, { wallets, wallets_since, unsent, unsent_usdt }: Today) =>
  createItemIfAny(wallets, {
    text: t.todoWallets(wallets),
    to: '/money',
    detail: (
      <>
        {wallets_since > 0 && t.lasts(formatTimeSince(t, wallets_since))}
        {unsent > 0 && (
          <>
            {' · '}
            {t.unsent(unsent)} <Amount value={unsent_usdt} unit="USDT" />
          </>
        )}
      </>
    ),
  })

/** Whether a listed incident already says that the network is halted or delayed. */
const isReported = ({ open }: Today, name: string) =>
  open.some(({ kind, chain }) => ['deep_reorg', 'chain_delayed'].includes(kind) && chain === name)

function chainItem(t: Messages<'operator'>, { name, why, since }: Today['chains'][number]): TodayItem {
  const reason = t.delays[why] ?? why
  return {
    text: why === 'halted' ? t.todoHalted(name) : t.todoChain(name),
    to: '/chains',
    detail: since ? `${reason} · ${t.lasts(formatTimeSince(t, since))}` : reason,
  }
}

const queueItem = (t: Messages<'operator'>, { queue, reason, since }: Today['paused'][number]): TodayItem => ({
  text: t.todoPaused(t.queueNames[queue]),
  to: '/queues',
  detail: `${formatStoredReason(reason, language.get())} · ${t.lasts(formatTimeSince(t, since))}`,
})

function nodeItem(t: Messages<'operator'>, { chain, host, reason, failures, time }: Today['nodes'][number]): TodayItem {
  const lastFailure = formatTimeAgo(t, time, Date.now() / 1_000)
  return {
    text: t.todoNode(chain, host),
    to: '/chains',
    detail: `${nodeFailureText(reason, language.get())} · ${t.failedTimes(failures)}, ${lastFailure}`,
  }
}

/** Price sources that stopped answering, which ends orders in fiat currencies. */
const pricesItem = (t: Messages<'operator'>, pair: Messages<'common'>['pair'], sources: Today['silent_prices']) =>
  createItemIfAny(sources.length, {
    text: t.todoPrices(joinList(sources.map(({ source }) => priceSourceName(source)))),
    to: '/queues',
    detail: [
      t.pricesEnd,
      ...sources.map(({ source, time }) =>
        pair(priceSourceName(source), time ? t.lasts(formatTimeSince(t, time)) : t.neverAnswered),
      ),
    ].join(' · '),
  })
