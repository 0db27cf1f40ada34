import {
  announce,
  announcementState,
  newestAnnouncements,
  withdrawAnnouncement,
} from '../domains/notifications/announce.ts'
import { Refusal } from '../kit/refusal.ts'
import { type Command, table, timeText } from './command.ts'

const weekSeconds = 7 * 86_400

/** Reads the options that follow the texts of an announcement. */
function optionsOf(words: string[], now: number): { mchids: string[] | null; ends_at: number } {
  const options = { mchids: null as string[] | null, ends_at: now + weekSeconds }
  for (let at = 0; at < words.length; at += 2) {
    const [flag = '', value = ''] = words.slice(at)
    if (flag === '--to') options.mchids = value.split(',')
    else if (flag === '--until') {
      // A date is midnight UTC, and so is a time without a zone.
      const ms = Date.parse(/T[\d:]+$/.test(value) ? `${value}Z` : value)
      if (Number.isNaN(ms)) throw new Refusal('parameter_error', { field: '--until' })
      options.ends_at = Math.floor(ms / 1_000)
    } else throw new Refusal('parameter_error', { field: flag })
  }
  return options
}

export const announcementCommands: Command[] = [
  {
    usage:
      'announce <title> <content> [<Chinese title> <Chinese content>] [--to <mchid>,<mchid>] [--until <2026-12-31T18:00>]',
    help: 'send an announcement to every merchant or to some, for a week or until a time (UTC)',
    async run(deps, words) {
      const first = words.findIndex(word => word.startsWith('--'))
      const [texts, options] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)]
      const [title_en = '', content_en = '', title_zh = title_en, content_zh = content_en] = texts
      const { id, receivers } = await announce(deps, {
        texts: { title_en, content_en, title_zh, content_zh },
        ...optionsOf(options, deps.clock()),
        operator: 'command line',
      })
      return `Announced to ${receivers} ${receivers === 1 ? 'merchant' : 'merchants'} (${id}).`
    },
  },
  {
    usage: 'announcement list',
    help: 'list the newest 100 announcements',
    async run({ pool, clock }) {
      const rows = await newestAnnouncements(pool)
      if (rows.length === 0) return 'No announcements.'
      return table(
        ['ID', 'STATE', 'UNTIL', 'MERCHANTS', 'TITLE'],
        rows.map(row => [
          row.id,
          announcementState(row, clock()),
          timeText(row.ends_at),
          `${row.receivers}${row.mchids ? '' : ' (all)'}`,
          row.texts.title_en,
        ]),
      )
    },
  },
  {
    usage: 'announcement withdraw <id>',
    help: 'withdraw an announcement; merchants can no longer read it',
    async run(deps, [id = '']) {
      await withdrawAnnouncement(deps, { id })
      return `${id} is withdrawn.`
    },
  },
]
