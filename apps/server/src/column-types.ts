import type { BlockId, ChainDefinition } from '@coffer/chains'

/**
 * Types that PostgreSQL cannot tell. `<table>.<column>`, without null: what a column holds, in every statement that reads
 * or writes it. `<statement>.<column>`: what a statement computes, or gives more precisely.
 */
export interface ColumnTypes {
  'chains.kind': ChainDefinition['kind']
  'chains.definition': ChainDefinition
  'incidents.detail': Record<string, unknown>
  'incident-deep-reorg.detail': { ancestor: BlockId }
  'merchants.currency_order': string[]
  'notifications.params': Record<string, string>
  'switches.name': 'withdrawals_stopped'
  'assets-names.chain': string
}
