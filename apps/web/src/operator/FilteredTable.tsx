import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Select } from '../ui/controls/Select.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { Card } from '../ui/data/Card.tsx'
import { type Column, Table } from '../ui/data/Table.tsx'
import { goTo, usePlace } from './place.tsx'

/** The filters and the page of a list, kept in the URL. `query` is what the call takes. */
export function useFilters<N extends string>(path: string, names: readonly N[]) {
  const { search } = usePlace()
  const values = Object.fromEntries(names.map(name => [name, search.get(name) ?? ''])) as Record<N, string>
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<
    Record<N, string>
  >
  const paging = {
    current: Number(search.get('current') ?? 1) || 1,
    pageSize: Number(search.get('pageSize') ?? 20) || 20,
  }
  const show = (change: Record<string, string>) => {
    const next = new URLSearchParams({ ...values, ...change })
    for (const [name, value] of [...next]) if (value === '') next.delete(name)
    goTo(`${path}?${next}`)
  }
  return { values, paging, query: { ...paging, ...given }, show }
}

interface Props<R> {
  caption: string
  /** What can be searched for. */
  search: string
  filters: Omit<ReturnType<typeof useFilters<string>>, 'query'>
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
          onChange: next => show({ current: String(next.current), pageSize: String(next.pageSize) }),
        }}
      />
    </Card>
  )
}
