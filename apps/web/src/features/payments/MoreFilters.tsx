import { paymentExceptions } from '@coffer/contract/codes.ts'
import { isMetadataFilter, isSearchText, isTxid } from '@coffer/contract/validators.ts'
import { useMessages } from '../../i18n/messages.ts'
import { SelectFilter } from '../../kit/list/Filters.tsx'
import type { ListFilter } from '../../kit/list/useListSearch.ts'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import type { RecordFilters } from './search.ts'

const exceptions = paymentExceptions.filter(exception => exception !== 'none')

/** Filters by what stands in a payment: its exception, texts, address, transactions and metadata. */
export function MoreFilters({ filter: { values, set } }: { filter: ListFilter<RecordFilters> }) {
  const t = useMessages('payments')
  const common = useMessages('common')
  return (
    <>
      <SelectFilter
        label={t.exception}
        all={t.allExceptions}
        className="w-full sm:w-48"
        value={values.exception}
        options={exceptions.map(value => ({ value, label: common.exceptions[value] }))}
        onChange={exception => set({ exception })}
      />
      <NumberFilter
        label={t.searchText}
        className="w-full grow sm:w-44"
        value={values.text}
        fits={isSearchText}
        error={t.badSearch}
        onCommit={text => set({ text })}
      />
      <NumberFilter
        label={t.addressOrTxid}
        className="w-full grow sm:w-60"
        value={values.txid ?? values.address}
        fits={text => isTxid(text) || isSearchText(text)}
        error={t.badAddressOrTxid}
        onCommit={text =>
          set(text && isTxid(text) ? { txid: text, address: undefined } : { txid: undefined, address: text })
        }
      />
      <NumberFilter
        label={t.metadataEntry}
        className="w-full grow sm:w-44"
        value={values.metadata}
        fits={isMetadataFilter}
        error={t.badMetadata}
        onCommit={metadata => set({ metadata })}
      />
    </>
  )
}
