import type { DepositState } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { useTokenOptions } from '../../kit/list/choices.ts'
import {
  CopyableValue,
  copyColumn,
  defineListColumns,
  stateColumn,
  timeColumn,
  tokenAmountColumn,
} from '../../kit/list/columns.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import type { BadgeKind } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { RechargeAddress } from './RechargeAddress.tsx'

const looks: Record<DepositState, BadgeKind> = {
  seen: 'processing',
  credited: 'success',
  dropped: 'error',
  undone: 'error',
}

const rechargeColumns = (t: Messages<'ledger'>) =>
  defineListColumns(lists.recharges, [
    tokenAmountColumn(
      t.amount,
      row => ({ value: row.amount, unit: row.token }),
      row => row.chain,
      { sticky: 'start' },
    ),
    stateColumn(t.status, row => [looks[row.state], row.held ? t.depositHeld : t.depositStates[row.state]], {
      phone: 'value',
      under: row => (row.state === 'seen' ? t.confirmedOf(row.confirmations, row.required_confirmations) : null),
    }),
    timeColumn(t.time, row => row.seen_time),
    {
      title: t.addressOrLabel,
      cell: row => (
        <TwoLines
          first={<CopyableValue value={row.to_address} label={t.address} />}
          second={
            <span className="block max-w-48 truncate">
              {[row.apply_name, row.label || row.reference].filter(Boolean).join(' · ') || t.own}
            </span>
          }
        />
      ),
    },
    copyColumn(t.sender, row => row.from_address),
    {
      title: t.transaction,
      sticky: 'end',
      cell: row =>
        row.browser_url === '' ? (
          <CopyableValue value={row.txid} label={t.transaction} />
        ) : (
          <OutsideLink href={row.browser_url}>{t.transaction}</OutsideLink>
        ),
    },
  ])

/** Recharge: the address for a token and network, and what has arrived without a payment. */
export default function RechargePage() {
  const t = useMessages('ledger')
  const { data: currencies } = useQuery(apiQuery('GET /api/v1/currency/list', {}))
  return (
    <>
      <BackToAssets />
      <ListPage
        title={t.recharge}
        text={t.rechargeText}
        caption={t.records}
        list={useList(lists.recharges)}
        columns={useMemo(() => rechargeColumns(t), [t])}
        skeletonRows={3}
        filters={[
          { by: 'state', label: t.status, all: t.allStates, names: t.depositStates },
          { by: 'token_id', label: t.token, all: t.allTokens, useOptions: useTokenOptions, width: 'w-full sm:w-48' },
          { by: 'text', label: t.referenceOrAddress, error: t.referenceBad, width: 'w-full grow sm:w-64' },
          { by: 'days', label: t.time },
        ]}
        file={{ call: 'GET /api/v1/account/recharge/export', name: 'RechargeRecord' }}
        actions={
          <Link to="/property/fixedAddr" look="secondary">
            {t.fixedAddr}
          </Link>
        }
        above={
          <May call="POST /api/v1/account/recharge/funds">
            <RechargeAddress chains={currencies?.list} />
          </May>
        }
        empty={<Empty icon="wallet" title={t.rechargeEmpty} text={t.rechargeEmptyText} />}
      />
    </>
  )
}
