import { useMemo } from 'react'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { useChainOptions, useTokenOptions } from '../../kit/list/choices.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCell } from '../../lib/useCell.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Menu } from '../../ui/controls/Menu.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { flowColumns } from './columns.tsx'

const journals = ['csv', 'hledger'] as const
/** All filters fit in one row from 1440 px, in the language of the longer names, too. */
const short = 'min-w-36 flex-1 sm:w-36 sm:flex-none'
const width = 'min-w-36 flex-1 sm:w-40 sm:flex-none'
const long = 'min-w-44 flex-1 sm:w-44 sm:flex-none'

/** Fund flow: every change to the balances. */
export default function FundingDetails() {
  const t = useMessages('fund-flow')
  const inLanguage = useCell(language)
  const list = useList(lists.fundFlow)
  const { account, ...others } = list.filter.values
  // Whose balance nothing has reserved yet has filtered nothing away.
  const onlyHeld = account === 'held' && Object.values(others).every(value => value === undefined || value === '')
  return (
    <>
      <BackToAssets />
      <ListPage
        title={t.title}
        text={t.text}
        list={list}
        columns={useMemo(() => flowColumns(t, inLanguage), [t, inLanguage])}
        recycle
        filters={[
          { by: 'type', label: t.transactionType, all: t.allTypes, names: t.types, width: short },
          {
            by: 'account',
            label: t.fundAccount,
            all: t.accounts.available,
            names: t.accounts,
            width: long,
          },
          { by: 'direction', label: t.direction, all: t.allDirections, names: t.directions, width: short },
          {
            by: 'network_id',
            label: t.chain,
            all: t.allChains,
            useOptions: useChainOptions,
            width,
            clears: ['token_id'],
          },
          { by: 'token_id', label: t.token, all: t.allTokens, useOptions: useTokenOptions, width },
          { by: 'days', label: t.time },
        ]}
        file={{ call: 'GET /api/v1/account/stream/export', name: 'FundFlow' }}
        actions={file => (
          <Menu
            label={t.journal}
            items={journals.map(format => ({
              key: format,
              label: t.journalFormats[format],
              // Entries of double bookkeeping have both accounts.
              onSelect: () => file.start(format === 'hledger' ? { format, account: undefined } : { format }),
            }))}
            trigger={props => (
              <Button {...props} icon="book" disabled={list.total === 0}>
                {t.journal}
              </Button>
            )}
          />
        )}
        {...(onlyHeld && { noMatch: <Empty icon="swap" title={t.heldEmpty} text={t.heldEmptyText} /> })}
        empty={<NoEntries />}
      />
    </>
  )
}

function NoEntries() {
  const t = useMessages('fund-flow')
  return (
    <Empty
      icon="swap"
      title={t.empty}
      text={t.emptyText}
      action={
        <Link to="/initPage" look="secondary">
          {t.emptyAction}
        </Link>
      }
    />
  )
}
