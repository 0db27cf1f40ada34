export default {
  title: 'Collection records',
  caption: 'Payment records',
  status: 'Status',
  allStatuses: 'All statuses',
  emptyTitle: 'No payments yet',
  emptyText: 'Payments created by your server appear here immediately.',
}
