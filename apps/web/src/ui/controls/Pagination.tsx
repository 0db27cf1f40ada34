import { limits } from '@coffer/contract/kit/limits.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../classes.ts'
import { IconButton } from './Button.tsx'
import { pageNumbers } from './pageNumbers.ts'
import { Select } from './Select.tsx'

export interface PaginationProps {
  current: number
  pageSize: number
  /** Undefined while unknown. */
  total: number | undefined
  onChange(next: { current: number; pageSize: number }): void
}

export function Pagination({ current, pageSize, total, onChange }: PaginationProps) {
  const t = useMessages('desktop')
  const { inAll } = useMessages('shell')
  const inLanguage = useCell(language)
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const go = (page: number) => onChange({ current: page, pageSize })
  return (
    <nav
      aria-label={t.pagination}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 text-[13px] text-ink-2"
    >
      <span className="num">{total !== undefined && inAll(formatCount(total, inLanguage), total)}</span>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton
          icon="chevronLeft"
          size="small"
          label={t.previousPage}
          disabled={current <= 1}
          onClick={() => go(current - 1)}
        />
        {pageNumbers(current, last).map((page, index) =>
          page === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: gaps have no identity
            <span key={`gap-${index}`} aria-hidden="true" className="w-7 text-center">
              …
            </span>
          ) : (
            <button
              key={page}
              type="button"
              aria-label={t.page(page)}
              aria-current={page === current ? 'page' : undefined}
              onClick={() => go(page)}
              className={cx(
                'num h-7 min-w-7 rounded-md px-1.5 pointer-coarse:h-11 pointer-coarse:min-w-11',
                page === current ? 'bg-accent-soft font-semibold text-accent-text' : 'hover:bg-sunken',
              )}
            >
              {page}
            </button>
          ),
        )}
        <IconButton
          icon="chevronRight"
          size="small"
          label={t.nextPage}
          disabled={current >= last}
          onClick={() => go(current + 1)}
        />
        <Select
          aria-label={t.rowsPerPage}
          className="w-32 sm:ml-2 pointer-coarse:w-36"
          value={String(pageSize)}
          options={limits.pageSizes.map(size => ({ value: String(size), label: t.perPage(size) }))}
          onChange={size => onChange({ current: 1, pageSize: Number(size) })}
        />
      </div>
    </nav>
  )
}
