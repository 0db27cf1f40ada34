import { Card } from '../../ui/data/Card.tsx'
// By its folder, so that phones get theirs.
import { ListTable } from '../list/ListPage.tsx'
import { type ListPageProps, useListParts } from './listParts.tsx'
import type { ListCall, SearchRules } from './search.ts'

type Props<K extends ListCall, R extends SearchRules> = ListPageProps<K, R> & { note?: string; className?: string }

/** A list as a card of a page. `note` stands above it. */
export function ListCard<K extends ListCall, R extends SearchRules>(props: Props<K, R>) {
  const { title, note, className } = props
  const { table, save, actions, progress, filters } = useListParts(props)
  return (
    <Card
      flush
      title={title}
      actions={
        <div className="flex flex-wrap gap-2">
          {save}
          {actions}
        </div>
      }
      {...(className && { className })}
    >
      {progress}
      {note && <p className="px-5 pb-3 text-[13px] text-ink-3">{note}</p>}
      {filters}
      <ListTable {...table} />
    </Card>
  )
}
