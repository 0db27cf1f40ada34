import type { Language, RouteData } from '@coffer/contract'
import { type Audience, type EventName, events, findDefaultMode, settingEvents } from '@coffer/contract/events.ts'
import { type SettingChannel, type SettingMode, settingChannels } from '@coffer/contract/kit/message-settings.ts'
import type { Deps } from '../../deps.ts'
import { audiencesOfRole, type NotificationReader } from '../../kit/audience.ts'
import { all, run, tx } from '../../kit/db.ts'
import { createFieldRefusal } from '../../kit/refusal.ts'
import { nameEvent } from './event-names.ts'
import { readReaderClock, saveReaderClock } from './reader-clock.ts'

const storedSettings = all(
  'message-settings',
  'select event, channel, mode from message_settings where person_id = $1 and merchant_id = $2',
)
const deleteSettings = run(
  'message-settings-clear',
  'delete from message_settings where person_id = $1 and merchant_id = $2',
)
const insertSettings = run(
  'message-settings-insert',
  `insert into message_settings (person_id, merchant_id, event, channel, mode)
   select $1, $2, r.event, r.channel, r.mode from json_to_recordset($3::json) as r(event text, channel text, mode text)`,
)
/**
 * Applies what a person chose, as JSON, to messages that wait and were not tried yet: what is off ends, and when the
 * others are due is found anew.
 */
const applyToWaiting = run(
  'message-settings-apply',
  `update messages m set mode = case when r.mode = 'off' or m.together is null then m.mode else r.mode end, due_at = null,
     done_at = case when r.mode = 'off' then $4::bigint end, result = case when r.mode = 'off' then 'unwanted' else '' end
   from json_to_recordset($3::json) as r(event text, channel text, mode text)
   where m.person_id = $1 and m.merchant_id = $2 and m.done_at is null and m.sent_with is null and m.tries = 0
     and m.event = r.event and m.channel = r.channel`,
)

interface Setting {
  event: string
  channel: SettingChannel
  mode: SettingMode
}
type Settings = Omit<RouteData<'GET /api/v1/message/settings'>, 'always' | 'list'>
type Listed = RouteData<'GET /api/v1/message/settings'>['list'][number]

/** What events are about, as their readers find them. */
const groups: Record<Audience, string> = {
  payments: 'payments',
  refunds: 'refunds',
  refunding: 'refunds',
  recharges: 'recharges',
  transfers: 'transfers',
  transferring: 'transfers',
  withdrawals: 'withdrawals',
  withdrawing: 'withdrawals',
  approvals: 'withdrawals',
  addresses: 'withdrawals',
  policy: 'withdrawals',
  callbacks: 'callbacks',
  applications: 'callbacks',
  endpoints: 'callbacks',
  shops: 'callbacks',
  work_orders: 'work_orders',
  replying: 'work_orders',
  expenses: 'billing',
  billing: 'billing',
  members: 'account',
  shop: 'account',
  everybody: 'account',
  self: 'account',
}
const groupOrder = [...new Set(Object.values(groups))]

/** Lists what may reach a member by the role, how it does, and the names of what always comes. */
export async function readMessageSettings(
  deps: Deps,
  { personId, merchantId, role }: NotificationReader,
  language: Language,
): Promise<RouteData<'GET /api/v1/message/settings'>> {
  const stored = new Map(
    (await storedSettings(deps.pool, personId, merchantId)).map(each => [`${each.event} ${each.channel}`, each.mode]),
  )
  const read = audiencesOfRole(role)
  const concerns = (name: EventName) => {
    const { to } = events[name]
    return read.includes(to) || (to === 'payments' && read.includes('collected'))
  }
  const list = settingEvents.filter(concerns).map(
    (event): Listed => ({
      event,
      group: groups[events[event].to],
      name: nameEvent(event, language),
      channels: settingChannels.flatMap(channel => {
        const usual = findDefaultMode(event, channel)
        return usual
          ? [{ channel, default: usual, mode: (stored.get(`${event} ${channel}`) ?? usual) as SettingMode }]
          : []
      }),
    }),
  )
  const lost = (Object.keys(events) as EventName[]).filter(name => events[name].urgency === 'lost' && concerns(name))
  return {
    ...(await readReaderClock(deps.pool, personId)),
    list: list.toSorted((one, other) => groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group)),
    always: [...new Set(lost.map(name => nameEvent(name, language)))],
  }
}

/** Refuses an entry of the list that names an event or channel without a choice. */
const refuseSetting = (index: number) =>
  createFieldRefusal(
    `list.${index}`,
    'an event with a channel that GET /api/v1/message/settings lists',
    'GET /api/v1/message/settings 列出的事件及其渠道',
  )

/**
 * Stores what a member chose, where it differs from what is usual, and applies it to what waits. Throws
 * Refusal('parameter_error') for an event or channel that has no choice.
 */
export async function saveMessageSettings(
  deps: Deps,
  { personId, merchantId }: NotificationReader,
  { list, ...clock }: Omit<Settings, 'time_zone_chosen'> & { list: readonly Setting[] },
): Promise<void> {
  const chosen = new Map(list.map(each => [`${each.event} ${each.channel}`, each.mode]))
  const modes = settingEvents.flatMap(event =>
    settingChannels.flatMap(channel => {
      const usual = findDefaultMode(event, channel)
      return usual ? [{ event, channel, usual, mode: chosen.get(`${event} ${channel}`) ?? usual }] : []
    }),
  )
  const choices = new Set(modes.map(({ event, channel }) => `${event} ${channel}`))
  const strange = list.findIndex(({ event, channel }) => !choices.has(`${event} ${channel}`))
  if (strange >= 0) throw refuseSetting(strange)
  const differing = modes.filter(({ usual, mode }) => mode !== usual)
  await tx(deps.pool, async c => {
    // Locks the person, so that two pages of the same person save one after the other.
    await saveReaderClock(c, personId, clock)
    await deleteSettings(c, personId, merchantId)
    await insertSettings(c, personId, merchantId, JSON.stringify(differing))
    await applyToWaiting(c, personId, merchantId, JSON.stringify(modes), deps.clock())
  })
}
