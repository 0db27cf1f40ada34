import { useMessages } from '../../i18n/messages.ts'
import { Icon } from '../../ui/icons.tsx'
import type { useReceiver } from './useReceiver.ts'

/** Who the typed account belongs to, so that a typing mistake shows before the click. */
export function ReceiverFound({ receiver: { data, looking } }: { receiver: ReturnType<typeof useReceiver> }) {
  const t = useMessages('transfers')
  return (
    <div aria-live="polite" className="-mt-1 empty:hidden">
      {looking && <p className="text-xs text-ink-3">{t.looking}</p>}
      {data && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-line px-3 py-2.5 text-sm">
          <Icon name="check" size={16} className="text-good" />
          <span className="font-medium">{data.name}</span>
          <span className="num text-ink-2">{data.mchid}</span>
          <span className="text-ink-3">{data.email}</span>
        </p>
      )}
    </div>
  )
}
