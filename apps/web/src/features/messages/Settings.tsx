import {
  type SettingChannel as Channel,
  settingChannels as channels,
  type SettingMode as Mode,
  settingModes as modes,
} from '@coffer/contract/kit/message-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { browserZone, formatTimeZoneName, zoneNames } from '../../lib/zone.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Combobox } from '../../ui/controls/Combobox.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'

type Settings = RouteData<'GET /api/v1/message/settings'>
type Line = Settings['list'][number]

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))
/** One line of the table: the name, and a select for each channel; on a phone the name stands above. */
const lineClass = 'grid grid-cols-3 items-center gap-x-2 gap-y-1 sm:grid-cols-[minmax(0,1fr)_repeat(3,7.5rem)]'
const nameClass = 'col-span-3 text-sm sm:col-span-1'

/** What reaches the person who signed in, by which channel and when. */
export function MessageSettings() {
  const read = useQuery(apiQuery('GET /api/v1/message/settings', {}))
  if (read.error && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton className="mt-4 h-60 w-full rounded-xl" />
  return <Loaded stored={read.data} />
}

/** The settings as a call stores them: what differs from what is usual. */
const toBody = ({ list, quiet_from, quiet_until, time_zone, time_zone_chosen }: Settings) => ({
  quiet_from,
  quiet_until,
  time_zone: time_zone_chosen ? time_zone : '',
  list: list.flatMap(({ event, channels }) =>
    channels.flatMap(({ channel, mode, default: usual }) => (mode === usual ? [] : [{ event, channel, mode }])),
  ),
})

/** Settings with another mode of some events by a channel. */
const withMode = (settings: Settings, isMeant: (line: Line) => boolean, channel: Channel, mode: Mode): Settings => ({
  ...settings,
  list: settings.list.map(line =>
    isMeant(line)
      ? { ...line, channels: line.channels.map(each => (each.channel === channel ? { ...each, mode } : each)) }
      : line,
  ),
})

const withDefaults = (settings: Settings): Settings => ({
  ...settings,
  quiet_from: 0,
  quiet_until: 0,
  time_zone_chosen: false,
  list: settings.list.map(line => ({
    ...line,
    channels: line.channels.map(each => ({ ...each, mode: each.default })),
  })),
})

function Loaded({ stored }: { stored: Settings }) {
  const t = useMessages('messages')
  const common = useMessages('common')
  const [changed, change] = useState<Settings>()
  const settings = changed ?? stored
  const save = useSubmit('PUT /api/v1/message/settings', {
    refreshes: ['GET /api/v1/message/settings'],
    done: t.settingsSaved,
  })
  const store = (next: Settings) => save.mutate({ body: toBody(next) }, { onSuccess: () => change(undefined) })
  const isUsual = JSON.stringify(toBody(settings)) === JSON.stringify(toBody(withDefaults(settings)))
  return (
    <Card
      title={t.reaches}
      className="mt-4"
      actions={
        <div className="flex flex-wrap justify-end gap-2">
          {!isUsual && <Button onClick={() => change(withDefaults(settings))}>{t.resetSettings}</Button>}
          <Button look="primary" disabled={!changed} busy={save.isPending} onClick={() => store(settings)}>
            {common.save}
          </Button>
        </div>
      }
    >
      <p className="-mt-1 max-w-2xl text-sm text-ink-2">{t.reachesText}</p>
      <Quiet settings={settings} onChange={change} />
      <div className="mt-5 divide-y divide-line border-y border-line">
        {[...Map.groupBy(settings.list, line => line.group)].map(([group, lines]) => (
          <Group
            key={group}
            name={t.groups[group as keyof typeof t.groups] ?? group}
            lines={lines}
            onChange={(isMeant, channel, mode) =>
              change(withMode(settings, line => line.group === group && isMeant(line), channel, mode))
            }
          />
        ))}
      </div>
      <p className="mt-2 text-[13px] text-ink-3">{t.usualMark}</p>
      <details className="mt-4 text-sm">
        <summary className="cursor-pointer text-ink-2">{t.always(settings.always.length)}</summary>
        <ul className="mt-2 list-disc gap-x-8 ps-5 text-[13px] text-ink-2 sm:columns-2">
          {settings.always.map(name => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </details>
    </Card>
  )
}

/** The hours in which nothing comes that can wait, and whose clock they are of. */
function Quiet({ settings, onChange }: { settings: Settings; onChange(settings: Settings): void }) {
  const t = useMessages('messages')
  const { quiet_from, quiet_until, time_zone, time_zone_chosen } = settings
  const isQuiet = quiet_from !== quiet_until
  const setFrom = (text: string) =>
    onChange(
      text === ''
        ? { ...settings, quiet_from: 0, quiet_until: 0 }
        : {
            ...settings,
            quiet_from: Number(text),
            // Nights, until somebody says something else.
            quiet_until: isQuiet && Number(text) !== quiet_until ? quiet_until : (Number(text) + 9) % 24,
          },
    )
  const automatic = ''
  const nameZone = (zone: string) =>
    zone === automatic ? t.automatic(formatTimeZoneName(time_zone_chosen ? browserZone() : time_zone || 'UTC')) : zone
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-[minmax(0,20rem)_12rem_9rem]">
      <Field label={t.zone}>
        {control => (
          <Combobox
            {...control}
            value={time_zone_chosen ? time_zone : automatic}
            items={[automatic, ...zoneNames(time_zone || browserZone())]}
            text={zone => formatTimeZoneName(nameZone(zone))}
            itemKey={zone => zone}
            onChange={zone =>
              zone !== null &&
              onChange(
                zone === automatic
                  ? { ...settings, time_zone_chosen: false }
                  : { ...settings, time_zone: zone, time_zone_chosen: true },
              )
            }
          />
        )}
      </Field>
      <Field label={t.quietFrom}>
        {control => (
          <Select
            {...control}
            value={isQuiet ? String(quiet_from) : ''}
            options={hours}
            placeholder={t.noQuiet}
            onChange={setFrom}
          />
        )}
      </Field>
      {isQuiet && (
        <Field label={t.quietUntil}>
          {control => (
            <Select
              {...control}
              value={String(quiet_until)}
              options={hours.filter(({ value }) => value !== String(quiet_from))}
              onChange={text => onChange({ ...settings, quiet_until: Number(text) })}
            />
          )}
        </Field>
      )}
    </div>
  )
}

interface GroupProps {
  name: string
  lines: readonly Line[]
  onChange(isMeant: (line: Line) => boolean, channel: Channel, mode: Mode): void
}

/** The events of one subject, folded: how many come otherwise than usual is said beside the name. */
function Group({ name, lines, onChange }: GroupProps) {
  const t = useMessages('messages')
  const differing = lines.filter(({ channels }) => channels.some(each => each.mode !== each.default)).length
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-4 py-2 text-sm font-medium">
        {name}
        <span className="flex items-center gap-2 text-[13px] font-normal text-ink-3">
          {differing > 0 ? t.differing(differing) : t.usual}
          <Icon name="chevronDown" size={16} className="group-open:rotate-180" />
        </span>
      </summary>
      <div className="flex flex-col gap-3 pb-4 sm:gap-2">
        <div className={lineClass}>
          <span className={nameClass} />
          {channels.map(channel => (
            <span key={channel} className="text-[13px] text-ink-3">
              {t.settingWays[channel]}
            </span>
          ))}
        </div>
        {lines.length > 1 && (
          <ModeLine
            name={t.allOf}
            of={name}
            choices={channels.flatMap(channel => {
              const all = lines.flatMap(line => line.channels.filter(each => each.channel === channel))
              const [first, ...others] = new Set(all.map(each => each.mode))
              return first ? [{ channel, mode: others.length === 0 ? first : undefined }] : []
            })}
            onChange={(channel, mode) => onChange(() => true, channel, mode)}
          />
        )}
        {lines.map(line => (
          <ModeLine
            key={line.event}
            name={line.name}
            choices={line.channels}
            onChange={(channel, mode) => onChange(each => each.event === line.event, channel, mode)}
          />
        ))}
      </div>
    </details>
  )
}

interface ModeLineProps {
  name: string
  /** The group that all events of are meant. */
  of?: string
  /** Without a mode: several. */
  choices: readonly { channel: Channel; mode: Mode | undefined; default?: Mode }[]
  onChange(channel: Channel, mode: Mode): void
}

function ModeLine({ name, of, choices, onChange }: ModeLineProps) {
  const t = useMessages('messages')
  return (
    <div className={lineClass}>
      <span className={nameClass}>{name}</span>
      {channels.map(channel => {
        const choice = choices.find(each => each.channel === channel)
        return choice ? (
          <Select
            key={channel}
            aria-label={`${of ? `${of}: ` : ''}${name}, ${t.settingWays[channel]}`}
            value={choice.mode ?? ''}
            {...(choice.mode === undefined && { placeholder: t.several })}
            options={modes.map(mode => ({
              value: mode,
              label: mode === choice.default ? `${t.modes[mode]} *` : t.modes[mode],
            }))}
            onChange={mode => mode !== '' && onChange(channel, mode)}
          />
        ) : (
          <span key={channel} />
        )
      })}
    </div>
  )
}
