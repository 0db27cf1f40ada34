import { useState } from 'react'
import { formatLocalTime } from '../i18n/format.ts'
import { useMessages } from '../i18n/messages.ts'
import { SearchInput } from '../ui/controls/SearchInput.tsx'
import { CopyText } from '../ui/data/CopyText.tsx'
import { Empty, ErrorState } from '../ui/feedback/States.tsx'
import { useRows } from './call.ts'

interface Message {
  id: number
  to: string
  subject: string
  text: string
  code: string
  time: number
}

const shownUpTo = 30

/** Emails and text messages, which arrive here instead of being sent. */
export function Inbox() {
  const t = useMessages('sandbox')
  const [to, setTo] = useState('')
  const { data, error, refetch } = useRows<Message>(`inbox${to && `?to=${encodeURIComponent(to)}`}`)
  return (
    <>
      <search className="block border-t border-line px-5 py-4">
        <SearchInput label={t.to} value={to} onCommit={setTo} />
      </search>
      {error && !data ? (
        <ErrorState onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Empty icon="mail" title={t.noMessages} text={t.noMessagesText} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
        <section aria-label={t.inbox} tabIndex={0} className="relative max-h-[480px] overflow-y-auto">
          <ul className="divide-y divide-line border-t border-line">
            {data?.slice(0, shownUpTo).map(message => (
              <Item key={message.id} message={message} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Item({ message: { to, subject, text, code, time } }: { message: Message }) {
  const t = useMessages('sandbox')
  return (
    <li className="px-5 py-3">
      <div className="flex items-center justify-between gap-4">
        <span className="min-w-0 truncate font-medium">{subject || text}</span>
        {code && (
          <span className="shrink-0 font-mono">
            <CopyText look="whole" value={code} label={t.code} />
          </span>
        )}
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-ink-3">
        <span className="min-w-0 truncate">{to}</span>
        <time className="num" dateTime={new Date(time * 1000).toISOString()}>
          {formatLocalTime(time)}
        </time>
      </p>
      {subject && (
        <details className="mt-1">
          <summary className="w-fit rounded-sm text-[13px] text-ink-2">{t.read}</summary>
          <pre className="mt-1 rounded-md bg-sunken p-3 font-sans text-[13px] break-words whitespace-pre-wrap text-ink-2">
            {text}
          </pre>
        </details>
      )}
    </li>
  )
}
