import { pluralize } from '../../lib/pluralize.ts'

export default {
  text: 'All payments, newest first.',
  // Columns
  order: 'Order number',
  orderPart: 'Order',
  merchantOrder: 'Merchant order number',
  platformOrder: 'Platform order number',
  application: 'Application',
  appid: 'App ID',
  amount: 'Amount',
  token: 'Token',
  chain: 'Chain',
  contract: 'Contract',
  fees: 'Fees',
  feeText: (percent: string) => `Platform fee, taken when a deposit is credited. Your rate: ${percent}`,
  state: 'Status',
  created: 'Created',
  expires: 'Expires',
  paidTime: 'Paid at',
  notChosen: 'Not chosen yet',
  paidIn: (asset: string) => `Paid in ${asset}`,
  paidElsewhere: 'Paid in',
  openRow: 'Details of',
  // Filters
  filters: 'Filters',
  allApplications: 'All applications',
  time: 'Time',
  badMerchantOrder: 'Use at most 64 printable characters',
  moreFilters: 'More filters',
  exception: 'Exception',
  allExceptions: 'All exceptions',
  exactly: (number: string) => `${number} (exact)`,
  metadataEntry: 'Metadata (key=value)',
  badMetadata: 'Enter key=value, such as customer=42',
  emptyAction: 'Create your first payment',
  // Live
  fresh: (count: number) => `${count} new ${pluralize(count, 'payment', 'payments')}`,
  showFresh: 'Show',
  // Export
  exportRows: (rows: string, count: number) => `${rows} ${pluralize(count, 'payment', 'payments')}`,
}
