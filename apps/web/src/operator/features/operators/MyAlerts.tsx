import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { type AlertKind, alertKinds } from '@coffer/contract/operator/names.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { Loaded } from '../../kit/Rows.tsx'

type Settings = OperatorData<'GET /api/operator/v1/alerts'>

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))

/** What the operator who is signed in gets mails about, and when not. */
export function MyAlerts() {
  const t = useMessages('operator-alerts')
  const read = useRead('GET /api/operator/v1/alerts', {})
  return (
    <Loaded read={read}>
      {data => (
        <Card title={t.title} className="mt-4" actions={<Change settings={data} />}>
          <p className="-mt-2 mb-2 text-[13px] text-ink-2">{t.text}</p>
          <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[10rem_1fr] sm:gap-y-3">
            <dt className="text-ink-2">{t.about}</dt>
            <dd>
              <ul className="gap-x-6 lg:columns-2">
                {[t.urgent, ...alertKinds.filter(kind => !data.off.includes(kind)).map(kind => t.kinds[kind])].map(
                  name => (
                    <li key={name}>{name}</li>
                  ),
                )}
              </ul>
            </dd>
            <dt className="text-ink-2 max-sm:mt-2">{t.quiet}</dt>
            <dd>
              {data.quiet_from === data.quiet_until
                ? t.always
                : t.hours(hourText(data.quiet_from), hourText(data.quiet_until), data.time_zone)}
            </dd>
          </dl>
        </Card>
      )}
    </Loaded>
  )
}

function Change({ settings }: { settings: Settings }) {
  const t = useMessages('operator-alerts')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const on = Object.fromEntries(alertKinds.map(kind => [kind, !settings.off.includes(kind)])) as Record<
    AlertKind,
    boolean
  >
  return (
    <ActionButton
      call="PUT /api/operator/v1/alerts"
      title={t.title}
      form={{
        initial: { ...on, quiet_from: String(settings.quiet_from), quiet_until: String(settings.quiet_until) },
        fields: [
          ...alertKinds.map(name => ({ name, kind: 'switch', label: t.kinds[name] }) as const),
          { name: 'quiet_from', kind: 'choice', label: t.from, options: hours, hint: t.quietText(zone) },
          { name: 'quiet_until', kind: 'choice', label: t.until, options: hours },
        ],
        body: ({ quiet_from, quiet_until, ...wanted }) => ({
          off: alertKinds.filter(kind => !wanted[kind]),
          quiet_from: Number(quiet_from),
          quiet_until: Number(quiet_until),
          time_zone: zone,
        }),
      }}
    />
  )
}
