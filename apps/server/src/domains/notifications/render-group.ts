import { findEvent, type GroupedEvent } from '@coffer/contract/events.ts'
import { sumsByToken } from '@coffer/contract/kit/decimal.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { formatClock, nameZone, splitClock } from '../../kit/time-zone.ts'
import type { Known, RenderedMail } from './event-mails.ts'
import { findPageOfEvent } from './event-pages.ts'
import { groupTexts, moreTexts } from './group-texts.ts'
import type { Reader, ToldEvent } from './message.ts'
import { hasNotificationText, renderMessage } from './render-message.ts'

/** The longest title that has another kind of event, in characters. */
const titleMax = 100
/** The longest line of one event, in characters. */
const lineMax = 200
/** Events of which a mail has a line. */
const mailLinesMax = 50

/** Several events as one message. */
interface Group {
  title: string
  /** A line of each kind of event: how many there are, and what their amounts add up to. */
  kinds: string[]
  /** A line of each event, oldest first, up to a number, and how many more there are. */
  lines: string[]
  /** Says of whose clock, and of which day, the times are. */
  zone: string
  /** The path of the page that has all of them. */
  page: string
}

/** Describes events in one message; undefined where one has no text, which a server of another version knows. */
export function describeGroup(
  events: readonly ToldEvent[],
  { language, time_zone }: Pick<Reader, 'language' | 'time_zone'>,
  linesMax: number,
): Group | undefined {
  const byKind = Map.groupBy(events, each => each.event)
  if (![...byKind.keys()].every(kind => kind in groupTexts && hasNotificationText(kind))) return undefined
  const kinds = [...byKind].map(([kind, of]) => describeKind(kind as GroupedEvent, of, language))
  const shown = events.length > linesMax ? events.slice(0, linesMax - 1) : events
  const [day = '', ...otherDays] = new Set(events.map(each => splitClock(each.created_at, time_zone, language).day))
  const isOneDay = otherDays.length === 0
  const lines = shown.map(({ event, params, created_at }) => {
    const { title, content } = renderMessage(event, params, language)
    const text = kinds.length > 1 ? [title, content].filter(Boolean).join(' · ') : content || title
    const time = isOneDay
      ? splitClock(created_at, time_zone, language).time
      : formatClock(created_at, time_zone, language)
    return cutLine(`${time} · ${text}`)
  })
  const more = events.length - shown.length
  return {
    title: joinKinds(kinds, language),
    kinds: kinds.map(each => each.text),
    lines: more > 0 ? [...lines, moreTexts[language](more)] : lines,
    zone: zoneTexts[language](nameZone(time_zone), isOneDay ? day : ''),
    page: findCommonPage(events),
  }
}

/** Returns the mail about several events. */
export function renderGroupMail(
  { config }: Pick<Known, 'config'>,
  events: readonly ToldEvent[],
  reader: Pick<Reader, 'language' | 'time_zone'>,
): RenderedMail | undefined {
  const group = describeGroup(events, reader, mailLinesMax)
  if (!group) return undefined
  const { title, kinds, lines, zone, page } = group
  // One kind is what the subject says.
  const parts = [...(kinds.length > 1 ? [kinds.join('\n')] : []), lines.join('\n'), zone, config.publicUrl + page]
  return { subject: title, text: `${parts.join('\n\n')}\n` }
}

/** `day` is that of all times, empty where there are several. */
const zoneTexts: Record<Language, (zone: string, day: string) => string> = {
  en: (zone, day) => (day ? `Times: ${day} (${zone})` : `Times: ${zone}`),
  'zh-CN': (zone, day) => (day ? `时间：${day}（${zone}）` : `时间均为 ${zone} 时区`),
}

interface Kind {
  count: number
  text: string
}

/** Says how many events there are of a kind, and what their amounts add up to, by token: "12 payments, 340.50 USDT". */
function describeKind(kind: GroupedEvent, events: readonly ToldEvent[], language: Language): Kind {
  // Of an order the last total counts.
  const counted = findEvent(kind)?.isTotal
    ? [...new Map(events.map(each => [each.params.trade_no, each])).values()]
    : events
  const amounts = counted.flatMap(({ params: { amount, token } }) => (amount && token ? [{ amount, token }] : []))
  const sums = sumsByToken(amounts, sum => formatAmount(sum, language))
  const { length } = counted
  const text = groupTexts[kind][language].replace('{n}', String(length)).replace('{s}', length === 1 ? '' : 's')
  const comma = { en: ', ', 'zh-CN': '，' }[language]
  return { count: events.length, text: sums.length > 0 ? `${text}${comma}${sums.join(' + ')}` : text }
}

/** Joins kinds in a line, as many as fit, and says how many events are of others. */
function joinKinds([first, ...others]: readonly Kind[], language: Language): string {
  const separator = { en: '; ', 'zh-CN': '；' }[language]
  let title = first!.text
  let more = 0
  for (const { text, count } of others)
    if (more === 0 && title.length + text.length <= titleMax) title += separator + text
    else more += count
  return more > 0 ? title + separator + moreTexts[language](more) : title
}

/** The page that has all of the events: of the one thing they are about, the list of such things, or the first page. */
function findCommonPage(events: readonly ToldEvent[]): string {
  const [page = '/', ...others] = new Set(events.map(findPageOfEvent))
  if (others.length === 0) return page
  const [list = '/', ...lists] = new Set([page, ...others].map(each => each.split('?', 1)[0]!))
  return lists.length === 0 ? list : '/'
}

/** Cuts a line, between two characters. */
function cutLine(line: string): string {
  const characters = Array.from(line.replace(/\s+/g, ' '))
  return characters.length > lineMax ? `${characters.slice(0, lineMax - 1).join('')}…` : characters.join('')
}
