import { useMessages } from '../i18n/messages.ts'
import { Time } from '../ui/data/Values.tsx'
import { type LoadPicture, Picture } from './pictures/Picture.tsx'

interface Message {
  id: string
  /** Whose message it is, as shown. */
  from: string
  isOwn: boolean
  text: string
  pictures: readonly string[]
  pictures_deleted: number
  created_time: number
}

/** The messages of a work order, oldest first. */
export function MessageThread({ messages, load }: { messages: readonly Message[]; load: LoadPicture }) {
  const t = useMessages('work-orders')
  return (
    <ol className="flex flex-col gap-3">
      {messages.map(({ id, from, isOwn, text, pictures, pictures_deleted, created_time }) => (
        <li key={id} className={isOwn ? 'rounded-lg bg-sunken p-3' : 'rounded-lg bg-accent-soft p-3'}>
          <div className="flex items-baseline justify-between gap-3 text-xs text-ink-3">
            <span className="font-medium wrap-anywhere text-ink-2">{from}</span>
            <Time seconds={created_time} />
          </div>
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-wrap">{text}</p>
          {pictures.length > 0 && (
            <div className="mt-2 flex flex-wrap gap-2">
              {pictures.map((picture, index) => (
                <Picture key={picture} id={picture} label={t.picture(index + 1)} load={load} />
              ))}
            </div>
          )}
          {pictures_deleted > 0 && <p className="mt-2 text-xs text-ink-3">{t.picturesDeleted(pictures_deleted)}</p>}
        </li>
      ))}
    </ol>
  )
}
