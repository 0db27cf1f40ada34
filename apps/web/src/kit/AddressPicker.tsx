import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../api/query.ts'
import { useMessages } from '../i18n/messages.ts'
import { cx, staleClass } from '../ui/classes.ts'
import { Link } from '../ui/controls/Link.tsx'
import { SearchInput } from '../ui/controls/SearchInput.tsx'
import { GroupedText } from '../ui/data/CopyText.tsx'
import { Time } from '../ui/data/Values.tsx'
import { Badge } from '../ui/feedback/Badge.tsx'
import { Modal } from '../ui/feedback/Modal.tsx'
import { Empty, Loading } from '../ui/feedback/States.tsx'

/** Entries shown at once; a search finds the others. */
const shown = 50

interface Props {
  chainId: string
  onPick(address: string): void
  onClose(): void
}

/** Chooses an address of a network from the address book. Addresses are shown whole. */
export default function AddressPicker({ chainId, onPick, onClose }: Props) {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const [text, setText] = useState('')
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiQuery('GET /api/v1/address', {
      query: { currency_id: chainId, pageSize: shown, ...(text !== '' && { text: text.slice(0, 64) }) },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Modal open title={t.pickTitle} text={t.pickText} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <SearchInput label={t.search} value={text} onCommit={setText} />
        {!data ? (
          <Loading of={{ error, refetch }} className="h-40 w-full rounded-lg" />
        ) : data.list.length === 0 ? (
          <Empty
            icon="pin"
            title={text === '' ? t.pickEmpty : common.nothingFound}
            text={t.pickEmptyText}
            action={
              <Link to="/address" look="secondary">
                {t.title}
              </Link>
            }
          />
        ) : (
          // Nobody is paid at an address that another search found.
          <ul
            inert={isPlaceholderData}
            className={cx(
              'relative -mx-2 flex max-h-[50dvh] flex-col overflow-y-auto',
              isPlaceholderData && staleClass,
            )}
          >
            {data.list.map(entry => (
              <li key={entry.id} className="border-b border-line last:border-0">
                <button
                  type="button"
                  className="w-full rounded-md px-2 py-2.5 text-left hover:bg-sunken"
                  onClick={() => onPick(entry.address)}
                >
                  <span className="flex flex-wrap items-center justify-between gap-x-3">
                    <span className="font-medium">{entry.label}</span>
                    {!entry.known && (
                      <Badge kind="processing">
                        {t.coolingUntil} <Time seconds={entry.known_time} />
                      </Badge>
                    )}
                  </span>
                  <GroupedText value={entry.address} className="mt-0.5 block font-mono text-[12.5px]" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {data && data.total > data.list.length && <p className="text-xs text-ink-3">{t.pickMore(data.total)}</p>}
      </div>
    </Modal>
  )
}
