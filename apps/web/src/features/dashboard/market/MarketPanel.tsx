import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useReducer, useRef } from 'react'
import { apiQuery, queryClient } from '../../../api/query.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useSubmit } from '../../../kit/useSubmit.ts'
import { showToast } from '../../../lib/toast.ts'
import { IconButton } from '../../../ui/controls/Button.tsx'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { MarketList } from './MarketList.tsx'
import { followMode, nextMode, toggleFollow } from './mode.ts'

const followList = apiQuery('GET /api/v1/market/follow/list', {})

/**
 * Prices of the followed tokens. Focusing the field switches to search mode; leaving the panel (focus elsewhere, a
 * press outside or Escape) returns to follow mode.
 */
export function MarketPanel() {
  const t = useMessages('dashboard')
  const [state, send] = useReducer(nextMode, followMode)
  const searching = state.mode === 'search'
  const panel = useRef<HTMLDivElement>(null)
  const hint = useId()

  const text = searching ? state.text : ''
  useEffect(() => {
    if (!searching || text === '') return send({ type: 'settle' })
    const timer = setTimeout(() => send({ type: 'settle' }), limits.marketSearchDebounceMs)
    return () => clearTimeout(timer)
  }, [searching, text])

  useEffect(() => {
    if (!searching) return
    const leave = (event: PointerEvent) => {
      if (!panel.current?.contains(event.target as Node)) send({ type: 'leave' })
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [searching])

  const followed = useQuery(followList)
  const name = searching ? state.name : ''
  const search = name === '' ? { all: '1' as const } : { name }
  const found = useQuery({
    ...apiQuery('GET /api/v1/market/search', { query: search }),
    enabled: searching,
    placeholderData: previous => previous,
  })
  const save = useSubmit('PUT /api/v1/market/follow/token')
  const tokens = followed.data?.list.map(item => item.token) ?? []

  function toggle(token: string) {
    if (save.isPending) return
    const next = toggleFollow(tokens, token)
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
