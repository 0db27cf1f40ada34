export default {
  title: 'Collection records',
  caption: 'Payment records',
  status: 'Status',
  allStatuses: 'All statuses',
  emptyTitle: 'No payments yet',
  emptyText: 'Payments created by your server appear here immediately.',
  searchText: 'Search by number or its beginning, title, price, transaction or address',
  searchHint: 'Number, title, price or address',
  truncated: 'More payments match than are listed. These are the newest: add a word, or choose days.',
}
