import { type SelectableEvent, selectableEvents } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Checkbox } from '../../ui/controls/Choice.tsx'

interface Props {
  value: SelectableEvent[]
  error?: string | undefined
  hint: string
  onChange(events: SelectableEvent[]): void
}

/** Chooses the events that a receiver of callbacks gets. */
export function CallbackEventsField({ value: chosen, error, hint, onChange }: Props) {
  const { events } = useMessages('callbacks')
  return (
    <>
      <p className="text-xs text-ink-3">{hint}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {selectableEvents.map(event => (
          <Checkbox
            key={event}
            label={events[event]}
            hint={<code>{event}</code>}
            checked={chosen.includes(event)}
            onChange={on => onChange(on ? [...chosen, event] : chosen.filter(each => each !== event))}
          />
        ))}
      </div>
      {error && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </>
  )
}
