import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useReducer, useRef } from 'react'
import { apiQuery, queryClient } from '../../../api/query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useSubmit } from '../../../kit/useSubmit.ts'
import { showToast } from '../../../lib/toast.ts'
import { IconButton } from '../../../ui/controls/Button.tsx'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { MarketList } from './MarketList.tsx'
import { initialMarketMode, type MarketEvent, reduceMarketMode, toggleFollow } from './mode.ts'

const followList = apiQuery('GET /api/v1/market/follow/list', {})

/**
 * Prices of the followed tokens. Focusing the field switches to search mode; leaving the panel (focus elsewhere, a
 * press outside or Escape) returns to follow mode.
 */
export function MarketPanel() {
  const t = useMessages('dashboard')
  const [state, send] = useReducer(reduceMarketMode, initialMarketMode)
  const searching = state.mode === 'search'
  const panel = useRef<HTMLDivElement>(null)
  const text = searching ? state.text : ''
  useSettled(searching, text, send)
  useLeave(searching, panel, send)
  const followed = useQuery(followList)
  const name = searching ? state.name : ''
  const found = useQuery({
    ...apiQuery('GET /api/v1/market/search', { query: name === '' ? { all: '1' as const } : { name } }),
    enabled: searching,
    placeholderData: previous => previous,
  })
  const tokens = followed.data?.list.map(item => item.token) ?? []
  const toggle = useToggle(tokens)
  const shown = searching ? found : followed
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and blur apply to the whole panel
    <div
      ref={panel}
      className="flex min-w-0"
      onBlur={event => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) send({ type: 'leave' })
      }}
      onKeyDown={event => {
        // Tab from the last control moves focus out of the page without a blur target.
        if (event.key === 'Tab')
          setTimeout(() => !panel.current?.contains(document.activeElement) && send({ type: 'leave' }))
        if (event.key !== 'Escape') return
        if (event.target instanceof HTMLElement) event.target.blur()
        send({ type: 'leave' })
      }}
    >
      <Card
        title={t.market}
        className="grow"
        flush
        actions={
          <span className="num text-xs text-ink-3">
            {followed.data && t.followCount(tokens.length, limits.marketFollowMax)}
          </span>
        }
      >
        <SearchField text={text} searching={searching} send={send} />
        <MarketList
          mode={state.mode}
          name={name}
          items={shown.data?.list}
          error={shown.error}
          stale={shown.isPlaceholderData}
          followed={tokens}
          onRetry={() => void shown.refetch()}
          onToggle={toggle}
        />
      </Card>
    </div>
  )
}

type Send = (event: MarketEvent) => void

/** Searches once typing pauses. */
function useSettled(searching: boolean, text: string, send: Send) {
  useEffect(() => {
    if (!searching || text === '') return send({ type: 'settle' })
    const timer = setTimeout(() => send({ type: 'settle' }), limits.marketSearchDebounceMs)
    return () => clearTimeout(timer)
  }, [searching, text, send])
}

/** Ends the search by a press outside. */
function useLeave(searching: boolean, panel: RefObject<HTMLElement | null>, send: Send) {
  useEffect(() => {
    if (!searching) return
    const leave = (event: PointerEvent) => {
      if (!panel.current?.contains(event.target as Node)) send({ type: 'leave' })
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [searching, panel, send])
}

/** Follows a token, or no longer. */
function useToggle(followed: readonly string[]) {
  const t = useMessages('dashboard')
  const save = useSubmit('PUT /api/v1/market/follow/token')
  return (token: string) => {
    if (save.isPending) return
    const next = toggleFollow(followed, token)
    if (next === null) return showToast('error', t.tooManyFollowed(limits.marketFollowMax))
    save.mutate(
      { body: { token: next } },
      {
        onSuccess: data => {
          queryClient.setQueryData(followList.queryKey, data)
          void queryClient.invalidateQueries({ queryKey: ['GET /api/v1/market/search'] })
        },
      },
    )
  }
}

function SearchField({ text, searching, send }: { text: string; searching: boolean; send: Send }) {
  const t = useMessages('dashboard')
  const hint = useId()
  return (
    <div className="relative mx-5 mb-2 flex items-center">
      <Icon name="search" size={16} className="pointer-events-none absolute left-3 text-ink-3" />
      <TextInput
        type="search"
        role="searchbox"
        aria-label={t.searchToken}
        aria-describedby={hint}
        placeholder={t.searchToken}
        autoComplete="off"
        className="pr-9 pl-9 [&::-webkit-search-cancel-button]:appearance-none"
        value={text}
        onFocus={() => send({ type: 'focus' })}
        onChange={next => send({ type: 'type', text: next })}
      />
      <span id={hint} className="sr-only">
        {t.searchHint(limits.marketFollowMax)}
      </span>
      {searching && (
        <span className="absolute right-1">
          <IconButton icon="close" size="small" label={t.done} onClick={() => send({ type: 'leave' })} />
        </span>
      )}
    </div>
  )
}
