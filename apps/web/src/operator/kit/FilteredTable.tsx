import { limits } from '@coffer/contract/limits.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import type { ListPlace } from '../../kit/list/search.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'

/** The filters and the page of a list, kept in the URL. */
export function useFilters<S extends ListPlace>({ current = 1, pageSize = limits.pageSizes[0], ...values }: S) {
  const navigate = useNavigate()
  const show = (change: object) => void navigate({ to: '.', search: { ...values, ...change } as never })
  return { values: values as Omit<S, keyof ListPlace>, paging: { current, pageSize }, show }
}

interface Props<R> {
  caption: string
  /** What can be searched for. */
  search: string
  filters: ReturnType<typeof useFilters<Record<string, string | undefined> & ListPlace>>
  choices: readonly { name: string; label: string; all: string; options: { value: string; label: string }[] }[]
  columns: readonly Column<R>[]
  read: { data: { list: R[]; total: number } | undefined; error: Error | null; refetch(): unknown }
  rowKey(row: R): string
  empty: ReactNode
}

/** A page of a list with a search and filters by choice. */
export function FilteredTable<R>({ caption, search, filters, choices, read, empty, ...table }: Props<R>) {
  const common = useMessages('common')
  const { values, paging, show } = filters
  const [typed, setTyped] = useState(values.text ?? '')
  return (
    <Card flush>
      <form
        className="flex flex-wrap gap-2 px-5 py-4"
        onSubmit={event => {
          event.preventDefault()
          show({ text: typed.trim() })
        }}
      >
        <TextInput
          aria-label={search}
          placeholder={search}
          className="max-w-72"
          maxLength={100}
          value={typed}
          onChange={setTyped}
        />
        {choices.map(({ name, label, all, options }) => (
          <Select
            key={name}
            aria-label={label}
            className="w-48"
            value={values[name] ?? ''}
            placeholder={all}
            options={options}
            onChange={next => show({ [name]: next, text: typed.trim() })}
          />
        ))}
        <Button type="submit" icon="search">
          {common.search}
        </Button>
      </form>
      <Table
        {...table}
        caption={caption}
        rows={read.data?.list}
        lines={2}
        empty={empty}
        error={read.error}
        onRetry={() => void read.refetch()}
        paging={{
          ...paging,
          total: read.data?.total,
          onChange: show,
        }}
      />
    </Card>
  )
}
